-- The schema of version 0.1.0, with the types of PostgreSQL (0010_indexes.py has those of SQLite).

CREATE TABLE "person" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "time_zone" TEXT,
    "country" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "options" TEXT NOT NULL
);
CREATE INDEX "person_created_at" ON "person" ("created_at");
CREATE INDEX person_wishes ON person (id) WHERE options <> '{}';

CREATE TABLE "address" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "person_id" BIGINT NOT NULL REFERENCES "person" ("id"),
    "address" TEXT NOT NULL,
    "proved" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "added_at" BIGINT NOT NULL
);
CREATE UNIQUE INDEX "address_address" ON "address" ("address");
CREATE INDEX "address_person_id" ON "address" ("person_id");
CREATE INDEX "address_state_person_id" ON "address" ("state", "person_id");

CREATE TABLE "game" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "variant" TEXT NOT NULL,
    "rulebook" TEXT NOT NULL,
    "options" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "moderated" BOOLEAN NOT NULL,
    "phase" TEXT,
    "position" TEXT,
    "settings" TEXT NOT NULL,
    "deadline" BIGINT,
    "grace_end" BIGINT,
    "wake_at" BIGINT,
    "opened_at" BIGINT,
    "last_change" BIGINT,
    "outcome" TEXT,
    "thread" TEXT,
    "created_at" BIGINT NOT NULL,
    "started_at" BIGINT,
    "ended_at" BIGINT,
    "version" INTEGER NOT NULL
);
CREATE INDEX "game_ended_at" ON "game" ("ended_at");
CREATE UNIQUE INDEX "game_name" ON "game" ("name");
CREATE INDEX "game_state_deadline_id" ON "game" ("state", "deadline", "id");
CREATE INDEX "game_state_id" ON "game" ("state", "id");
CREATE INDEX "game_thread" ON "game" ("thread");
CREATE INDEX "game_wake_at" ON "game" ("wake_at");

CREATE TABLE "mail" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "door" TEXT NOT NULL,
    "received_at" BIGINT NOT NULL,
    "message_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "envelope_from" TEXT,
    "envelope_to" TEXT NOT NULL,
    "raw" BYTEA NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "problem" TEXT,
    "game_id" BIGINT REFERENCES "game" ("id"),
    "person_id" BIGINT REFERENCES "person" ("id"),
    "worked_at" BIGINT,
    "proof" TEXT,
    "sender" TEXT
);
CREATE INDEX "mail_game_id" ON "mail" ("game_id");
CREATE UNIQUE INDEX "mail_message_id_digest" ON "mail" ("message_id", "digest");
CREATE INDEX "mail_person_id" ON "mail" ("person_id");
CREATE INDEX "mail_received_at" ON "mail" ("received_at");
CREATE INDEX "mail_state_id" ON "mail" ("state", "id");
CREATE INDEX "mail_state_sender_id" ON "mail" ("state", "sender", "id");
CREATE INDEX mail_texts ON mail (worked_at) WHERE length(raw) > 0;

CREATE TABLE "seat" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "game_id" BIGINT NOT NULL REFERENCES "game" ("id"),
    "person_id" BIGINT REFERENCES "person" ("id"),
    "role" TEXT NOT NULL,
    "power" TEXT,
    "preferences" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "wait" BOOLEAN NOT NULL,
    "draw" TEXT,
    "absence" TEXT,
    "joined_at" BIGINT NOT NULL,
    "password" TEXT,
    "options" TEXT NOT NULL
);
CREATE INDEX "seat_game_id" ON "seat" ("game_id");
CREATE INDEX "seat_person_id" ON "seat" ("person_id");

CREATE TABLE "orders" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "game_id" BIGINT NOT NULL REFERENCES "game" ("id"),
    "phase" TEXT NOT NULL,
    "power" TEXT NOT NULL,
    "place" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "mail_id" BIGINT REFERENCES "mail" ("id"),
    "arrived_at" BIGINT NOT NULL
);
CREATE UNIQUE INDEX "orders_game_id_phase_power_place" ON "orders" ("game_id", "phase", "power", "place");
CREATE INDEX "orders_mail_id" ON "orders" ("mail_id");

CREATE TABLE "phase_run" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "game_id" BIGINT NOT NULL REFERENCES "game" ("id"),
    "phase" TEXT NOT NULL,
    "position" TEXT NOT NULL,
    "orders" TEXT NOT NULL,
    "results" TEXT NOT NULL,
    "processed_at" BIGINT NOT NULL,
    "winners" TEXT,
    "rollback" INTEGER NOT NULL
);
CREATE UNIQUE INDEX "phase_run_game_id_phase_rollback" ON "phase_run" ("game_id", "phase", "rollback");
CREATE INDEX "phase_run_processed_at" ON "phase_run" ("processed_at");

CREATE TABLE "rollback" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "game_id" BIGINT NOT NULL REFERENCES "game" ("id"),
    "phase" TEXT NOT NULL,
    "at" BIGINT NOT NULL,
    "kept" TEXT NOT NULL,
    "restored_at" BIGINT
);
CREATE INDEX "rollback_game_id" ON "rollback" ("game_id");

CREATE TABLE "press" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "game_id" BIGINT NOT NULL REFERENCES "game" ("id"),
    "phase" TEXT,
    "sender_id" BIGINT REFERENCES "seat" ("id"),
    "from_label" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "color" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "public" BOOLEAN NOT NULL,
    "sent_at" BIGINT NOT NULL,
    "subject" TEXT NOT NULL,
    "seats" TEXT NOT NULL,
    "held" BOOLEAN NOT NULL,
    "overseen" BOOLEAN NOT NULL
);
CREATE INDEX "press_game_id" ON "press" ("game_id");
CREATE INDEX "press_sender_id" ON "press" ("sender_id");

CREATE TABLE "letter" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "message_id" TEXT NOT NULL,
    "game_id" BIGINT REFERENCES "game" ("id"),
    "person_id" BIGINT REFERENCES "person" ("id"),
    "mail_id" BIGINT REFERENCES "mail" ("id"),
    "recipient" TEXT NOT NULL,
    "envelope_from" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "raw" BYTEA NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "next_try" BIGINT NOT NULL,
    "queued_at" BIGINT NOT NULL,
    "sent_at" BIGINT,
    "error" TEXT
);
CREATE INDEX "letter_envelope_from" ON "letter" ("envelope_from");
CREATE INDEX "letter_game_id" ON "letter" ("game_id");
CREATE INDEX "letter_kind_queued_at" ON "letter" ("kind", "queued_at");
CREATE INDEX "letter_mail_id" ON "letter" ("mail_id");
CREATE UNIQUE INDEX "letter_message_id" ON "letter" ("message_id");
CREATE INDEX "letter_person_id" ON "letter" ("person_id");
CREATE INDEX "letter_recipient_queued_at" ON "letter" ("recipient", "queued_at");
CREATE INDEX "letter_state_next_try_id" ON "letter" ("state", "next_try", "id");
CREATE INDEX "letter_state_queued_at_attempts" ON "letter" ("state", "queued_at", "attempts");
CREATE INDEX letter_texts ON letter (queued_at) WHERE length(raw) > 0;

CREATE TABLE "event" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "at" BIGINT NOT NULL,
    "game_id" BIGINT REFERENCES "game" ("id"),
    "actor" TEXT NOT NULL,
    "what" TEXT NOT NULL,
    "facts" TEXT NOT NULL
);
CREATE INDEX "event_game_id" ON "event" ("game_id");
CREATE INDEX "event_what_at" ON "event" ("what", "at");

CREATE TABLE "ticket" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "person_id" BIGINT REFERENCES "person" ("id"),
    "game_id" BIGINT REFERENCES "game" ("id"),
    "phase" TEXT,
    "parts" TEXT NOT NULL,
    "press_id" BIGINT REFERENCES "press" ("id"),
    "mail_id" BIGINT REFERENCES "mail" ("id"),
    "claim" TEXT,
    "created_at" BIGINT NOT NULL,
    "expires_at" BIGINT NOT NULL,
    "used_at" BIGINT
);
CREATE INDEX "ticket_address" ON "ticket" ("address");
CREATE INDEX "ticket_mail_id" ON "ticket" ("mail_id");

CREATE TABLE "secret" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "value" BYTEA NOT NULL
);
CREATE UNIQUE INDEX "secret_name" ON "secret" ("name");

CREATE TABLE "bounce" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "letter_id" BIGINT NOT NULL REFERENCES "letter" ("id"),
    "address" TEXT NOT NULL,
    "at" BIGINT NOT NULL,
    "hard" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "said" TEXT NOT NULL,
    "told" BOOLEAN NOT NULL
);
CREATE INDEX "bounce_address" ON "bounce" ("address");
CREATE INDEX "bounce_letter_id" ON "bounce" ("letter_id");

CREATE TABLE "conduct" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "person_id" BIGINT NOT NULL REFERENCES "person" ("id"),
    "game_id" BIGINT NOT NULL REFERENCES "game" ("id"),
    "phase" TEXT NOT NULL,
    "power" TEXT NOT NULL,
    "what" TEXT NOT NULL,
    "at" BIGINT NOT NULL
);
CREATE INDEX "conduct_game_id" ON "conduct" ("game_id");
CREATE UNIQUE INDEX "conduct_person_id_game_id_phase_power_what" ON "conduct" ("person_id", "game_id", "phase", "power", "what");

CREATE TABLE "pulse" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "at" BIGINT NOT NULL
);
CREATE UNIQUE INDEX "pulse_name" ON "pulse" ("name");

CREATE TABLE "note" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "game_id" BIGINT NOT NULL REFERENCES "game" ("id"),
    "seat_id" BIGINT NOT NULL REFERENCES "seat" ("id"),
    "number" INTEGER NOT NULL,
    "phase" TEXT,
    "text" TEXT NOT NULL,
    "at" BIGINT NOT NULL
);
CREATE INDEX "note_game_id" ON "note" ("game_id");
CREATE UNIQUE INDEX "note_seat_id_number" ON "note" ("seat_id", "number");

CREATE TABLE "house" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL
);
CREATE UNIQUE INDEX "house_name" ON "house" ("name");

CREATE TABLE "alarm" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "since" BIGINT NOT NULL,
    "facts" TEXT NOT NULL
);
CREATE UNIQUE INDEX "alarm_name" ON "alarm" ("name");
