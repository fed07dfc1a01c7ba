/** `curl`: its usual options, and its exit codes. */

import { exchangeHttp } from '../network/http-exchange.ts';
import type { HttpResponseText } from '../network/http-exchange.ts';
import { NetworkFailure } from '../network/pod-network.ts';
import { resolvePath } from './container-files.ts';
import { readOptionWords } from './option-words.ts';
import type { OptionWords } from './option-words.ts';
import { print } from './simulated-process.ts';
import type { Program, SimulatedProcess } from './simulated-process.ts';
import { parseWebAddress } from './web-address.ts';
import type { WebAddress } from './web-address.ts';

const valued = new Set([
  '-A',
  '-H',
  '-X',
  '-d',
  '-m',
  '-o',
  '-u',
  '-w',
  '--connect-timeout',
  '--data',
  '--header',
  '--max-time',
  '--output',
  '--request',
  '--retry',
  '--retry-delay',
  '--user',
  '--user-agent',
  '--write-out',
  '--cacert',
]);

const exitCodes = { noUrl: 2, unknownHost: 6, noConnection: 7, noTls: 35 } as const;

export const curl: Program = async (process) => {
  const words = readOptionWords(process.argv.slice(1), valued);
  if (words.operands.length === 0) return failed(process, words, exitCodes.noUrl, 'no URL specified');
  let code = 0;
  for (const operand of words.operands) code = await transfer(process, words, parseWebAddress(operand));
  return code;
};

async function transfer(process: SimulatedProcess, words: OptionWords, address: WebAddress): Promise<number> {
  const { host, port, authority, path } = address;
  const ip = (await process.network.lookUp(host))?.addresses[0];
  if (ip === undefined)
    return failed(process, words, exitCodes.unknownHost, `Could not resolve host: ${host}`);
  try {
    const listener = await process.network.connect(ip, port);
    if (address.isSecure) return failed(process, words, exitCodes.noTls, 'TLS is not simulated');
    const headers = [
      `Host: ${authority}`,
      'User-Agent: curl/8.5.0',
      'Accept: */*',
      ...all(words, '-H', '--header'),
    ];
    const data = all(words, '-d', '--data');
    const isHead = has(words, '-I', '--head');
    const method =
      all(words, '-X', '--request').at(-1) ?? (isHead ? 'HEAD' : data.length > 0 ? 'POST' : 'GET');
    await show(process, words, await exchangeHttp(listener, { method, path, headers, body: data.join('&') }));
    return 0;
  } catch (failure) {
    if (!(failure instanceof NetworkFailure)) throw failure;
    const text = `Failed to connect to ${host} port ${port} after 0 ms: Could not connect to server`;
    return failed(process, words, exitCodes.noConnection, text);
  }
}

async function show(process: SimulatedProcess, words: OptionWords, answer: HttpResponseText): Promise<void> {
  const output = all(words, '-o', '--output').at(-1) ?? '-';
  const isHead = has(words, '-I', '--head');
  if (isHead || has(words, '-i', '--include')) await print(process.stdout, answer.head);
  if (output === '-' && !isHead) await process.stdout(answer.body);
  else if (output !== '-')
    process.files.write(resolvePath(process.place.folder, output), answer.body, process.clock.now());
  const format = all(words, '-w', '--write-out').at(-1);
  if (format !== undefined) await print(process.stdout, written(format, answer));
}

const written = (format: string, { status, body }: HttpResponseText): string =>
  format
    .replaceAll('%{http_code}', String(status))
    .replaceAll('%{response_code}', String(status))
    .replaceAll('%{size_download}', String(body.length))
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t');

async function failed(
  process: SimulatedProcess,
  words: OptionWords,
  code: number,
  text: string,
): Promise<number> {
  const isSilent = has(words, '-s', '--silent') && !has(words, '-S', '--show-error');
  if (!isSilent) await print(process.stderr, `curl: (${code}) ${text}\n`);
  return code;
}

const all = ({ options }: OptionWords, ...names: string[]): readonly string[] =>
  names.flatMap((name) => options.get(name) ?? []);

const has = (words: OptionWords, ...names: string[]): boolean => all(words, ...names).length > 0;
