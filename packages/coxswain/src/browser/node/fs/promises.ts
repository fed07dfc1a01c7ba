/** `node:fs/promises` */

import { promises } from '../fs.ts';

export const {
  access,
  appendFile,
  chmod,
  copyFile,
  glob,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} = promises;
export { constants } from '../fs.ts';
