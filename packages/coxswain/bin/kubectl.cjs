// kubectl of an installed package, for a process of its own: the modules come out of one file, `lib/kubectl.pack`,
// with the bytecode that V8 made of them when the package was built. What V8 refuses of it (another platform,
// other options) it compiles anew. The pack: a line of JSON, name → where source and bytecode begin and how long
// they are, then those bytes.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

/** Enough for the line at the beginning of every pack. */
const headBytesMax = 32 * 1024;

/**
 * Its modules are loaded by name, as CommonJS. `scripts` holds what V8 knows of those that were. With `compile`, they
 * are functions that it makes of a text and a file name.
 */
function openPack(file, filled = true, compile = undefined) {
  const library = path.dirname(file);
  const descriptor = fs.openSync(file, 'r');
  const head = read(descriptor, 0, headBytesMax);
  const end = head.indexOf(10);
  const places = JSON.parse(head.latin1Slice(0, end));
  const loaded = new Map();
  const scripts = new Map();
  const load = (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const [sourceStart, sourceBytes, codeStart, codeBytes] = places[name];
    const module = { exports: {} };
    loaded.set(name, module);
    const source = read(descriptor, end + 1 + sourceStart, sourceBytes).latin1Slice();
    const filename = path.join(library, name);
    if (compile !== undefined) {
      compile(source, filename)(module.exports, requireFrom, module, filename, library);
      return module.exports;
    }
    const script = new vm.Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
      filename,
      ...(filled && codeBytes > 0 ? { cachedData: read(descriptor, end + 1 + codeStart, codeBytes) } : {}),
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    scripts.set(name, script);
    script.runInThisContext()(module.exports, requireFrom, module, filename, library);
    return module.exports;
  };
  const requireFrom = (id) => (id.startsWith('./') ? load(id.slice(2)) : require(id));
  return { load, scripts };
}

function read(descriptor, start, length) {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, length, start));
}

module.exports = { openPack };

if (require.main === module) {
  // Kept from Node by the script that starts this: reading it takes long, and few commands need it.
  const { COXSWAIN_EXTRA_CA_CERTS: certificates } = process.env;
  if (certificates) {
    delete process.env.COXSWAIN_EXTRA_CA_CERTS;
    process.env.NODE_EXTRA_CA_CERTS = certificates;
  }
  void openPack(path.join(__dirname, '../lib/kubectl.pack')).load('kubectl.cjs').main(process.argv.slice(2));
}
