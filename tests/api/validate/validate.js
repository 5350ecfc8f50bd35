// Holds every exchange of the API tests (lines of JSON in the files named) against the OpenAPI
// document, and says which route and status of the document no test has ever seen.
//
//   node validate.js openapi.yaml FILE.ndjson...
import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import yaml from "js-yaml";

const [documentPath, ...files] = process.argv.slice(2);
const spec = yaml.load(readFileSync(documentPath, "utf8"));

// Statuses that an exchange in one process cannot have, each with its reason.
const unseen = {};

const ajv = new Ajv2020({ allErrors: false, strict: false, validateFormats: false, discriminator: false });
ajv.addSchema({ $id: "openapi", ...spec });

function resolve(node) {
  while (node?.$ref)
    node = node.$ref.slice(2).split("/").reduce((at, key) => at[key.replace(/~1/g, "/").replace(/~0/g, "~")], spec);
  return node;
}

const pointer = (...keys) =>
  "#/" + keys.map((k) => encodeURIComponent(String(k).replace(/~/g, "~0").replace(/\//g, "~1"))).join("/");

// The validator of the schema at these keys; a $ref to a response or body is followed first.
const compiled = new Map();
function validator(keys) {
  const name = keys.join("\n");
  if (!compiled.has(name)) compiled.set(name, ajv.compile({ $ref: "openapi" + pointer(...keys) }));
  return compiled.get(name);
}

function keysOf(base, node) {
  return node.$ref ? node.$ref.slice(2).split("/") : base;
}

const seen = new Set();
const faults = new Map();
let exchanges = 0;

function fault(what, example) {
  const known = faults.get(what) ?? { count: 0, example };
  known.count++;
  faults.set(what, known);
}

function checkSchema(keys, value, what, example) {
  const valid = validator(keys);
  if (!valid(value))
    fault(`${what}: ${ajv.errorsText(valid.errors, { separator: "; " }).slice(0, 300)}`, example);
}

function checkHeaders(response, line, what) {
  const sent = Object.fromEntries(Object.entries(line.headers).map(([k, v]) => [k.toLowerCase(), v]));
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    const value = sent[name.toLowerCase()];
    const { required, schema } = resolve(header);
    if (value === undefined) {
      if (required) fault(`${what}: no header ${name}`, line);
    } else if (schema.pattern && !new RegExp(schema.pattern).test(value)) {
      fault(`${what}: header ${name} is ${value}`, line);
    }
  }
}

// What was refused before its route was looked for is told apart by its path.
function routeOf(line) {
  const path = line.path.split("?")[0];
  if (line.route !== "-") return line.route;
  return Object.keys(spec.paths).find((route) =>
    new RegExp("^" + route.replace(/\{\w+\}/g, "[^/]+").replace(/\./g, "\\.") + "$").test(path)) ?? "-";
}

function check(line) {
  line.route = routeOf(line);
  const method = /^[A-Z]+$/.test(line.method) ? line.method.toLowerCase() : "none";
  const operation = spec.paths[line.route]?.[method === "head" ? "get" : method];
  const what = `${line.method} ${line.route} ${line.status}`;
  if (!operation) {
    // No such route or method, or an answer before the route was found: always a problem.
    if (line.status >= 400) checkSchema(["components", "schemas", "Problem"], line.body, what, line);
    else if (method !== "options") fault(`${what}: not in the document`, line);
    return;
  }
  const base = ["paths", line.route, method === "head" ? "get" : method];
  const status = operation.responses[line.status] ? String(line.status) : "default";
  const named = operation.responses[status];
  const response = resolve(named);
  if (status === "default" && ![414, 429, 431, 500, 503, 505].includes(line.status))
    fault(`${what}: the document does not name this status`, line);
  seen.add(`${line.method} ${line.route} ${line.status}`);
  if (!response.content && !line.content_type && !line.body) return checkHeaders(response, line, what);
  const media = response.content?.[line.content_type];
  if (!media) return fault(`${what}: not as ${line.content_type}`, line);
  const keys = keysOf([...base, "responses", status], named);
  if (line.content_type !== "text/event-stream")
    checkSchema([...keys, "content", line.content_type, "schema"], line.body, what, line);
  else checkSchema(["components", "schemas", "Event"], line.body, what, line);
  checkHeaders(response, line, what);
  if (line.request !== undefined && line.request !== null && line.status < 300) {
    if (!operation.requestBody) return fault(`${what}: takes a body that is not in the document`, line);
    const body = keysOf([...base, "requestBody"], operation.requestBody);
    checkSchema([...body, "content", "application/json", "schema"], line.request, `${what}: request`, line);
  }
}

for (const file of files)
  for (const text of readFileSync(file, "utf8").split("\n")) {
    if (!text) continue;
    exchanges++;
    check(JSON.parse(text));
  }

for (const [path, item] of Object.entries(spec.paths))
  for (const [method, operation] of Object.entries(item)) {
    if (!operation.responses) continue;
    for (const status of Object.keys(operation.responses)) {
      const what = `${method.toUpperCase()} ${path} ${status}`;
      if (status === "default") continue;
      if (!seen.has(what) && !unseen[what]) fault(`${what}: no test has seen it`);
      if (seen.has(what) && unseen[what]) fault(`${what}: was seen, though it is listed as unseen`);
    }
  }

for (const [what, { count, example }] of faults) {
  console.log(`${count} x ${what}`);
  if (example) console.log(`    ${example.method} ${example.path}\n    ${String(JSON.stringify(example.body)).slice(0, 600)}`);
}
console.log(`${exchanges} exchanges, ${seen.size} routes and statuses, ${faults.size} kinds of fault`);
process.exit(faults.size > 0 || exchanges === 0 ? 1 : 0);
