/** `node:fs` in the page's memory, for kubectl's `-f`, kubeconfig and kustomizations. */

import { memfs } from 'memfs';

const { fs, vol } = memfs({ '/home/.kube': null, '/tmp': null });

/** All of the files, for code that displays or saves them. */
export const volume = vol;

export const {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  lstatSync,
  unlinkSync,
  writeFileSync,
  writeSync,
  appendFileSync,
  chmodSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  symlinkSync,
  truncateSync,
  ftruncateSync,
  readlinkSync,
  promises,
} = fs;
