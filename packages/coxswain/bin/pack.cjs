// Programs and libraries of an installed package that have to start fast: their modules come out of one file,
// `lib/modules.pack`, read in pieces, with the bytecode that V8 has made of them in earlier processes. The pack: a line of JSON,
// name → where a source begins and how long it is, beside the identity of them all; then the sources, in Latin-1.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { keptCode } = require('./kept-code.cjs');

const library = path.join(__dirname, '../lib');
/** Enough for the line at the beginning of the pack. */
const headBytesMax = 64 * 1024;

/**
 * Its modules are loaded by name, as CommonJS. Bytecode is kept by the name of the use, which has to do with what it runs.
 * With `compile`, modules are functions that it makes of a text and a file name.
 */
function openPack(use, compile = undefined) {
  const descriptor = fs.openSync(path.join(library, 'modules.pack'), 'r');
  const head = read(descriptor, 0, headBytesMax);
  const end = head.indexOf(10);
  const { identity, places } = JSON.parse(head.latin1Slice(0, end));
  const code = compile === undefined ? keptCode(use, identity) : undefined;
  const loaded = new Map();
  const load = (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const [start, length] = places[name];
    const module = { exports: {} };
    loaded.set(name, module);
    const source = read(descriptor, end + 1 + start, length).latin1Slice();
    const filename = path.join(library, name);
    const run = code === undefined ? compile(source, filename) : compiled(source, filename, code, name);
    run(module.exports, requireFrom, module, filename, library);
    return module.exports;
  };
  const requireFrom = (id) => (id.startsWith('./') ? load(id.slice(2)) : require(id));
  return { load };
}

function compiled(source, filename, code, name) {
  const script = new vm.Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
    filename,
    cachedData: code.of(name),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  code.ran(name, script);
  return script.runInThisContext();
}

function read(descriptor, start, length) {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, length, start));
}

module.exports = { openPack };
