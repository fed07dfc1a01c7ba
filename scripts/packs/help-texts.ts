/** What servers say to `--help`, as files: envtest asks before each start, and reading a text is all that takes. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { helpFile } from 'coxswain/program/assets.ts';
import { serverPrograms } from 'coxswain/program/server-programs.ts';
import { runServer } from 'coxswain/program/servers.ts';

export async function writeHelpTexts(directory: string): Promise<void> {
  for (const program of Object.keys(serverPrograms)) {
    const said: string[] = [];
    const out = { write: (text: string) => said.push(text) > 0 };
    const io = { out, err: out, input: process.stdin, env: {}, signal: new AbortController().signal };
    await runServer([program, '--help'], io);
    await writeFile(path.join(directory, helpFile(program)), said.join(''));
  }
}
