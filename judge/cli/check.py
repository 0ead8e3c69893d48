import click

command = click.Command("check")
