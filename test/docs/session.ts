/**
 * Sessions in pages: ```console blocks with commands behind `$ ` and what they print. A page whose front matter has
 * `session:` is played from top to bottom on a test cluster with a fixed seed, so that its output is the same each time.
 *
 * Blocks of YAML with a name (```yaml [web.yaml]) are the files that commands name. `sleep` lets the cluster's time pass.
 */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runKubectl } from '@coxswain/kubectl';
import { seededRandom } from '@coxswain/apimachinery';
import type { Transport } from '@coxswain/client';
import { createCluster, type TestCluster } from 'coxswain/testing';

const frontMatter = /^---\n([\s\S]*?)\n---\n/;
const block = /^```(console|ya?ml \[([^\]]+)\])\n([\s\S]*?)^```$/gm;
/** A command that waits for something in vain is given up after so many steps. */
const stepsMax = 60;

export const hasSession = (text: string): boolean => /^session:/m.test(frontMatter.exec(text)?.[1] ?? '');

let kubectlLoaded: Promise<void> | undefined;

/** The cluster's time passes while kubectl loads a command: all are loaded before, so that no page depends on others. */
async function loadKubectl(): Promise<void> {
  const directory = path.join(import.meta.dirname, '../../packages/kubectl/src/commands');
  const files = await readdir(directory, { recursive: true });
  for (const file of files.toSorted())
    if (/(?<!\.test|\.fixture)\.ts$/.test(file)) await import(pathToFileURL(path.join(directory, file)).href);
}

/** The page with what its commands print now. */
export async function played(text: string): Promise<string> {
  await (kubectlLoaded ??= loadKubectl());
  const nodes = Number(/nodes: (\d+)/.exec(frontMatter.exec(text)![1]!)?.[1] ?? 1);
  const cluster = await createCluster({
    nodes,
    seed: 1,
    addons: ['storage', 'load-balancers', 'ingress-class'],
  });
  const directory = await mkdtemp(path.join(tmpdir(), 'coxswain-docs-'));
  try {
    const run = runner(cluster, directory);
    let result = '';
    let end = 0;
    for (const { 0: whole, 1: kind, 2: file, 3: body, index } of text.matchAll(block)) {
      result += text.slice(end, index);
      end = index + whole.length;
      if (kind !== 'console') {
        await writeFile(path.join(directory, file!), body!);
        result += whole;
      } else {
        result += `\`\`\`console\n${await playedBlock(body!, run)}\`\`\``;
      }
    }
    return result + text.slice(end);
  } finally {
    await cluster.stop();
    await rm(directory, { recursive: true });
  }
}

type Run = (command: string) => Promise<string>;

async function playedBlock(body: string, run: Run): Promise<string> {
  let result = '';
  for (const command of body.matchAll(/^\$ (.*)$/gm)) {
    // Formatters take spaces at the end of lines away.
    const output = (await run(command[1]!)).replaceAll(/ +$/gm, '');
    result += `$ ${command[1]}\n${output}${output === '' || output.endsWith('\n') ? '' : '\n'}`;
  }
  return result;
}

/** Somebody types a command every ten seconds. Those that wait for something end within one such step, or some. */
const paceMs = 10_000;

function runner(cluster: TestCluster, directory: string): Run {
  const random = seededRandom(1);
  const next = () => cluster.clock.advance(paceMs - (cluster.clock.now() % paceMs));
  const kubectl = async (args: readonly string[]): Promise<string> => {
    let text = '';
    const write = (part: string | Uint8Array) =>
      (text += typeof part === 'string' ? part : Buffer.from(part).toString());
    let isOver = false;
    const { promise: waits, resolve: beginToWait } = Promise.withResolvers<void>();
    const transport: Transport = {
      ...cluster.transport,
      send(request) {
        if (/[?&]watch=/.test(request.path)) beginToWait();
        return cluster.transport.send(request);
      },
    };
    const over = runKubectl(args, {
      out: { write },
      err: { write },
      stdin: async () => '',
      env: { HOME: directory },
      workingDirectory: directory,
      clock: cluster.clock,
      random,
      transport,
    }).finally(() => (isOver = true));
    // Time passes for those that wait for something. The others get none, however long they take.
    await Promise.race([over, waits]);
    for (let step = 0; !isOver; step++) {
      if (step > stepsMax) throw new Error(`kubectl ${args.join(' ')} does not end`);
      await cluster.idle();
      if (!isOver) await next();
    }
    await over;
    return text;
  };
  return async (command) => {
    await cluster.idle();
    await next();
    const [program, ...args] = words(command);
    if (program === 'sleep') {
      await cluster.clock.advance(`${args[0]}s`);
      return '';
    }
    if (program !== 'kubectl') throw new Error(`a session cannot run "${program}"`);
    return kubectl(args);
  };
}

/** As a shell splits them, as far as pages need it: quotes of one kind hide those of the other. */
const words = (command: string): string[] =>
  Array.from(command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g), ([word]) =>
    word.replaceAll(
      /'([^']*)'|"([^"]*)"/g,
      (_quoted, single?: string, double?: string) => single ?? double ?? '',
    ),
  );
