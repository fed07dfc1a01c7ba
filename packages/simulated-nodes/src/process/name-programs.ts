/** Programs that resolve names or test whether a port is open. */

import { aborted, parseIp } from '@coxswain/apimachinery';
import { serveConnection } from '../network/http-connection.ts';
import { nameServerAddress } from '../network/name-server.ts';
import { NetworkFailure, NoResponse } from '../network/pod-network.ts';
import { readOptionWords } from './option-words.ts';
import { connectMs, withResponseTimeout, resolved, secondsMs } from './response-timeouts.ts';
import { complain, print, type Program, type SimulatedProcess } from './simulated-process.ts';

/** The time-out of one query to a name server. */
const nslookupMs = 5_000;

/** In BusyBox's format. */
export const nslookup: Program = async (process) => {
  const name = process.argv.slice(1).find((word) => !word.startsWith('-'));
  if (name === undefined) return complain(process, 'no host is named');
  let answer: string;
  try {
    const ask = parseIp(name) === undefined ? addresses : names;
    answer = await withResponseTimeout(process, nslookupMs, () => ask(process, name));
  } catch (failure) {
    if (!(failure instanceof NoResponse)) throw failure;
    await print(process.stdout, ';; connection timed out; no servers could be reached\n\n');
    return 1;
  }
  await print(process.stdout, `Server:\t\t${nameServerAddress}\nAddress:\t${nameServerAddress}:53\n\n`);
  if (answer === '') {
    await print(process.stdout, `** server can't find ${name}: NXDOMAIN\n\n`);
    return 1;
  }
  await print(process.stdout, `${answer}\n`);
  return 0;
};

async function addresses({ network }: SimulatedProcess, asked: string): Promise<string> {
  const host = await network.lookUp(asked);
  return (host?.addresses ?? []).map((address) => `Name:\t${host!.name}\nAddress: ${address}\n`).join('');
}

async function names({ network }: SimulatedProcess, address: string): Promise<string> {
  const reverse = `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  const found = await network.namesOf(address);
  return found.map((name) => `${reverse}\tname = ${name}\n`).join('');
}

/** `nc HOST PORT` sends its input and prints the response; `-z` only connects; `-l` waits forever. */
export const netcat: Program = async (process) => {
  const { options, operands } = readOptionWords(process.argv.slice(1), new Set(['-w', '-p', '-s', '-i']));
  if (options.has('-l')) return aborted(process.signal).then(() => 130);
  const [name = '', port = ''] = operands;
  const ip = await resolved(process, name);
  if (ip === undefined) return complain(process, `bad address '${name}'`);
  const waitMs = Math.min(secondsMs(options.get('-w')?.at(-1)) ?? Infinity, connectMs);
  try {
    const server = await withResponseTimeout(process, waitMs, () =>
      process.network.connect(ip, Number(port)),
    );
    if (options.has('-v')) await print(process.stderr, `${name} (${ip}:${port}) open\n`);
    if (options.has('-z')) return 0;
    await serveConnection(server, {
      stdin: chunksOf(process),
      stdout: process.stdout,
    });
    return 0;
  } catch (failure) {
    if (!(failure instanceof NetworkFailure)) throw failure;
    return options.has('-z') && !options.has('-v')
      ? 1
      : complain(process, `${name} (${ip}:${port}): ${failure.message}`);
  }
};

async function* chunksOf({ stdin }: SimulatedProcess): AsyncGenerator<Uint8Array> {
  for (let chunk = await stdin.read(); chunk !== undefined; chunk = await stdin.read()) yield chunk;
}
