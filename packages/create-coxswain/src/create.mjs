#!/usr/bin/env node
// npm create coxswain [DIRECTORY]: copies the template and puts in the name of the directory.

import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const template = path.join(import.meta.dirname, '../template');
const usage = 'usage: npm create coxswain [DIRECTORY]';
const [directory = 'greeting-operator', ...more] = process.argv.slice(2);
const name = path.basename(path.resolve(directory));

if (directory === '--help' || directory === '-h') {
  console.log(usage);
  process.exit();
}
if (directory === '' || directory.startsWith('-') || more.length > 0) fail(usage);
if (!/^[a-z]([a-z0-9-]{0,50}[a-z0-9])?$/.test(name))
  fail(`${name} is not a valid name of a Deployment: use lower-case letters, digits and hyphens`);

try {
  create();
} catch (error) {
  fail(error.message);
}
const { node } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')).engines;
const oldestNode = node.replace('>=', '');
const inShell = /^[\w@./~+-]+$/.test(directory) ? directory : `"${directory}"`;
console.log(`${directory} has an operator. Next:

  cd ${inShell}
  npm install
  npm test
  npx coxswain up --detach --wait --merge-kubeconfig
  npx coxswain kubectl apply -f manifests/crds
  npm start
`);
if (process.versions.node.localeCompare(oldestNode, 'en', { numeric: true }) < 0)
  console.log(`It needs Node ${oldestNode} or newer; this is Node ${process.versions.node}.\n`);

function create() {
  mkdirSync(directory, { recursive: true });
  // A repository that was just cloned is empty, too.
  if (readdirSync(directory).some((entry) => entry !== '.git')) fail(`${directory} is not empty`);
  const isTemplates = (file) => path.relative(directory, file).split(path.sep)[0] !== '.git';
  cpSync(template, directory, { recursive: true });
  // npm leaves files of that name out of packages.
  renameSync(path.join(directory, 'gitignore'), path.join(directory, '.gitignore'));
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !isTemplates(file)) continue;
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll('greeting-operator', name));
  }
}

function fail(message) {
  console.error(`create-coxswain: ${message}`);
  process.exit(1);
}
