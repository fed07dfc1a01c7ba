import { detach } from '@coxswain/apimachinery/detach.ts';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { bool, int, string, type FlagValues } from '@coxswain/cobra';
import { StatusError } from '@coxswain/apimachinery';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { ExitError } from '../errors.ts';
import { objectPath, podMapping } from '../mapping.ts';
import { chooseSessionContainer, type Pod } from '../logs/containers.ts';
import { hasEnded } from '../streams/attachable-pod.ts';
import { bytePipe } from '../streams/byte-pipe.ts';
import { streamCommand, type RemoteCommand } from '../streams/remote-command.ts';
import { packFiles, unpackFiles } from '../streams/tar-files.ts';

const flags = {
  container: string({
    shorthand: 'c',
    usage: 'The name of the container. Defaults to the default container of the pod, or the first one.',
  }),
  noPreserve: bool({ usage: "Don't preserve the ownership and permissions of files in the container." }),
  retries: int({
    usage:
      'How often to resume an interrupted copy from a container. 0 means never, a negative number without limit.',
  }),
};

export const cp = command({
  use: 'cp <file-spec-src> <file-spec-dest>',
  long: 'Copy files and directories to and from containers. The container must have tar.',
  example: `  # A directory into a container
  kubectl cp ./site web:/tmp/site

  # Into a container of another namespace, by name
  kubectl cp -c main ./site shop/web:/tmp/site

  # Back again
  kubectl cp shop/web:/tmp/site ./copy`,
  disableFlagsInUseLine: true,
  flags,
  async run({ context, args, flags: given }) {
    if (args.length !== 2) throw new Error('source and destination are required');
    const source = placeOf(args[0]!);
    const destination = placeOf(args[1]!);
    if (source.pod !== '' && destination.pod !== '')
      throw new Error('one of src or dest must be a local file specification');
    if (source.path === '' || destination.path === '') throw new Error('filepath can not be empty');
    if (source.pod !== '') return copyFrom(context, source, destination.path, given);
    if (destination.pod !== '') return copyTo(context, source.path, destination, given);
    throw new Error('one of src or dest must be a remote file specification');
  },
});

type Flags = FlagValues<typeof flags>;

/** Local if there is no pod. */
interface Place {
  readonly namespace: string;
  readonly pod: string;
  readonly path: string;
}

const malformed = 'filespec must match the canonical format: [[namespace/]pod:]file/path';

function placeOf(text: string): Place {
  const colon = text.indexOf(':');
  if (colon === 0) throw new Error(malformed);
  if (colon < 0) return { namespace: '', pod: '', path: text };
  const names = text.slice(0, colon).split('/');
  if (names.length > 2) throw new Error(malformed);
  return {
    namespace: names.length === 2 ? names[0]! : '',
    pod: names.at(-1)!,
    path: text.slice(colon + 1),
  };
}

type Streams = Pick<RemoteCommand, 'stdin' | 'stdout' | 'stderr'>;
type Execute = (command: readonly string[], streams: Streams) => Promise<void>;

async function executeIn(
  context: CommandContext,
  place: Place,
  { container }: Flags,
  note: (text: string) => void,
): Promise<Execute> {
  const namespace = place.namespace || (await context.namespace()).namespace;
  const client = await context.client();
  const pod = await client.request<Pod>({
    method: 'GET',
    path: objectPath(podMapping, namespace, place.pod),
  });
  if (hasEnded(pod))
    throw new Error(`cannot exec into a container in a completed pod; current phase is ${pod.status?.phase}`);
  const chosen = chooseSessionContainer(pod, container, note);
  return (words, streams) =>
    streamCommand(context, {
      ...streams,
      operation: 'exec',
      namespace,
      pod: place.pod,
      container: chosen,
      command: words,
    });
}

async function copyTo(
  context: CommandContext,
  local: string,
  destination: Place,
  given: Flags,
): Promise<void> {
  const source = path.resolve(context.io.workingDirectory, local);
  if ((await stat(source).catch(() => undefined)) === undefined)
    throw new Error(`${local} doesn't exist in local filesystem`);
  const execute = await executeIn(context, destination, given, (text) => context.printError(text));
  const isDirectory = await succeeds(execute(['test', '-d', destination.path], { stdout() {}, stderr() {} }));
  const target = path.posix.normalize(
    isDirectory ? path.posix.join(destination.path, path.basename(source)) : destination.path,
  );
  const directory = path.posix.dirname(target);
  const preserving = given.noPreserve ? ['--no-same-permissions', '--no-same-owner'] : [];
  const words = ['tar', ...preserving, '-xmf', '-', ...(directory === '.' ? [] : ['-C', directory])];
  await execute(words, {
    stdin: counted(context, packFiles(source, path.posix.basename(target))),
    stdout: (chunk) => void context.io.out.write(chunk),
    stderr: (chunk) => void context.io.err.write(chunk),
  });
}

/** Passes the bytes through and reports their number. */
async function* counted(
  context: CommandContext,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    context.status(`${(bytes / 1024 ** 2).toFixed(1)} MiB copied`);
    yield chunk;
  }
}

/** Whether the command exited with 0. */
async function succeeds(running: Promise<void>): Promise<boolean> {
  try {
    await running;
    return true;
  } catch (failure) {
    if (failure instanceof ExitError) return false;
    throw failure;
  }
}

async function copyFrom(context: CommandContext, source: Place, local: string, given: Flags): Promise<void> {
  // The original sends to its output what else it says while the archive is read.
  const execute = await executeIn(context, source, given, (text) => context.print(text));
  const archive = counted(context, archiveOf(context, execute, source.path, given.retries));
  const prefix = path.posix.normalize(`/${source.path}`).replace(/^\/+|\/+$/g, '');
  let isWarned = false;
  await unpackFiles(archive, {
    prefix,
    destination: local.replace(/(?<=.)\/$/, ''),
    workingDirectory: context.io.workingDirectory,
    warn: (text) => context.printError(text),
    onSymlink(link, target) {
      const start = `warning: skipping symlink: ${goQuote(link)} -> ${goQuote(target)}`;
      const hint = ` (consider using "kubectl exec -n ${goQuote(source.namespace)} ${goQuote(source.pod)} -- tar cf - ${goQuote(source.path)} | tar xf -")`;
      context.printError(`${start}${isWarned ? '' : hint}\n`);
      isWarned = true;
    },
  });
}

/** Returns the output of `tar` in the container; an interrupted copy is resumed. */
function archiveOf(
  context: CommandContext,
  execute: Execute,
  remote: string,
  retries: number,
): AsyncIterable<Uint8Array> {
  const pipe = bytePipe();
  let bytesRead = 0;
  const words = () =>
    retries === 0
      ? ['tar', 'cf', '-', remote]
      : [
          'sh',
          '-c',
          `tar cf - '${remote.replaceAll("'", `'\\''`)}' | tail -c+${bytesRead === 0 ? 0 : bytesRead + 1}`,
        ];
  const read = async () => {
    for (let tries = 0; ; tries++) {
      try {
        await execute(words(), {
          stdout(chunk) {
            bytesRead += chunk.length;
            return pipe.write(chunk);
          },
          stderr: (chunk) => void context.io.out.write(chunk),
        });
        return pipe.end();
      } catch (failure) {
        // Only a copy that has begun can be interrupted.
        const isRefused = failure instanceof ExitError || failure instanceof StatusError;
        const isOver = isRefused || (retries >= 0 && tries >= retries);
        if (isOver) return pipe.end(failure as Error);
        context.print(`Resuming copy at ${bytesRead} bytes, retry ${tries + 1}/${retries}\n`);
      }
    }
  };
  detach(read());
  return pipe;
}
