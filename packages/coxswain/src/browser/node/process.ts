/** `node:process` */

import { process } from './globals.ts';

export const {
  argv,
  cwd,
  emitWarning,
  env,
  execArgv,
  getBuiltinModule,
  memoryUsage,
  nextTick,
  pid,
  platform,
  uptime,
  version,
  versions,
} = process;
