// What known mail programs do not support of a letter's HTML and CSS, by the data of caniemail.com.
// HTML on standard input, programs as arguments; out comes one JSON object: each feature with the
// programs that leave it out.
import { readFileSync } from "node:fs";
import { doIUseEmail } from "@jsx-email/doiuse-email";

const found = doIUseEmail(readFileSync(0, "utf8"), { emailClients: process.argv.slice(2) });
const features = {};
for (const error of found.errors ?? []) {
  const [, feature, client] = /^`(.+)` is not supported by `(.+)`$/.exec(error) ?? [, error, ""];
  features[feature] = [...new Set([...(features[feature] ?? []), client])].sort();
}
process.stdout.write(JSON.stringify(features));
