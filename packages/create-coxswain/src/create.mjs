#!/usr/bin/env node
// npm create coxswain [DIRECTORY]: copies the template and puts in the name of the directory.

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const template = path.join(import.meta.dirname, '../template');
const [directory = 'greeting-operator', ...more] = process.argv.slice(2);
const name = path.basename(path.resolve(directory));

if (directory.startsWith('-') || more.length > 0) fail('usage: npm create coxswain [DIRECTORY]');
if (!/^[a-z]([a-z0-9-]{0,50}[a-z0-9])?$/.test(name))
  fail(`${name} is not a valid name of a Deployment: use lower-case letters, digits and hyphens`);
if (existsSync(directory) && readdirSync(directory).length > 0) fail(`${directory} is not empty`);

mkdirSync(directory, { recursive: true });
cpSync(template, directory, { recursive: true });
// npm leaves files of that name out of packages.
renameSync(path.join(directory, 'gitignore'), path.join(directory, '.gitignore'));
for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = path.join(entry.parentPath ?? entry.path, entry.name);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll('greeting-operator', name));
}
console.log(`${directory} has an operator. Next:

  cd ${directory}
  npm install
  npm test
  npx coxswain up --detach --wait && npm start
`);

function fail(message) {
  console.error(`create-coxswain: ${message}`);
  process.exit(1);
}
