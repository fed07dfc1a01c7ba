/** `coxswain storage`: operations on a data directory that no process is using. */

import { commandFor, knownCommand } from '@coxswain/cobra';
import type { ProgramIo } from '../../program/program-io.ts';
import { check } from './check.ts';
import { defrag } from './defrag.ts';
import { dump } from './dump.ts';
import { get } from './get.ts';
import { recover } from './recover.ts';
import { snapshot } from './snapshot.ts';
import { stat } from './stat.ts';

const command = commandFor<ProgramIo>();

export const storage = command({
  use: 'storage',
  short: 'Inspect, check, back up and restore a data directory',
  long: 'Works on a data directory of the embedded store: the --data-dir of a server, or the storage directory in it.\nNo server may be using it.',
  example:
    '  coxswain storage check ~/.local/share/coxswain\n  coxswain storage get data /registry/pods/default/web',
  args: knownCommand,
  commands: [check, stat, dump, get, defrag, snapshot, recover],
});
