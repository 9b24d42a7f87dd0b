// SPDX-License-Identifier: Apache-2.0
// The older design, for comparison: Node, Express and MariaDB, one connection, no state of its own.
// Usage: server.js PORT SOCKET, with MariaDB's socket; user root without a password, database "config".
"use strict";

const express = require("express");
const mysql = require("mysql");

const [port, socketPath] = process.argv.slice(2);
const database = mysql.createConnection({
    socketPath,
    user: "root",
    database: "config",
    charset: "utf8mb4",
    timezone: "Z",
});

const app = express();
app.use(express.json());
app.use(express.urlencoded({ extended: true }));

// Answers with what a query gives; the list is decoded and encoded anew for each request.
function answer(response, sql, values, transform = (rows) => rows) {
    database.query(sql, values, (error, result) => {
        if (error) return response.status(500).json({ message: error.message });
        response.json(transform(result));
    });
}

app.get("/", (request, response) => response.json({ message: "A configuration server." }));

app.get("/config", (request, response) => answer(response, "SELECT * FROM config", []));

app.get("/config/:timestamp", (request, response) =>
    answer(response, "SELECT * FROM config WHERE updated_at > ?", [new Date(request.params.timestamp)]),
);

app.post("/config", (request, response) => {
    const { key, value } = request.body;
    answer(response, "INSERT INTO config (`key`, value) VALUES (?, ?)", [key, value], (result) => ({
        id: result.insertId,
        key,
        value,
    }));
});

app.listen(Number(port), "127.0.0.1");
