/** `node:path` for the files in memory */

import path from 'path-browserify';

export const posix = path;
export const {
  basename,
  delimiter,
  dirname,
  extname,
  format,
  isAbsolute,
  join,
  normalize,
  parse,
  relative,
  resolve,
  sep,
} = path;
