/** `curl` with its common options and its exit codes. */

import { exchangeHttp, type HttpResponseText } from '../network/http-exchange.ts';
import { headerOf, type HttpServer } from '../network/http-message.ts';
import { NetworkFailure, NoResponse } from '../network/pod-network.ts';
import { tooLate, within } from '../network/within.ts';
import { resolvePath } from './container-files.ts';
import { readOptionWords, type OptionWords } from './option-words.ts';
import { connectMs, withResponseTimeout, resolveMs, secondsMs } from './response-timeouts.ts';
import { print, type Program, type SimulatedProcess } from './simulated-process.ts';
import { parseWebAddress, type WebAddress } from './web-address.ts';

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

const exitCodes = {
  noUrl: 2,
  unknownHost: 6,
  noConnection: 7,
  badStatus: 22,
  tooLate: 28,
  noTls: 35,
  manyRedirects: 47,
  noAnswer: 56,
} as const;

/** With `-L`. */
const redirectsMax = 50;

/** The message is printed after the exit code. */
class TransferFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const curl: Program = async (process) => {
  const words = readOptionWords(process.argv.slice(1), valued);
  if (words.operands.length === 0)
    return failed(process, words, new TransferFailure(exitCodes.noUrl, 'no URL specified'));
  let code = 0;
  for (const operand of words.operands) {
    try {
      await transfer(process, words, parseWebAddress(operand));
      code = 0;
    } catch (failure) {
      if (!(failure instanceof TransferFailure)) throw failure;
      code = await failed(process, words, failure);
    }
  }
  return code;
};

/** @throws TransferFailure */
async function transfer(
  process: SimulatedProcess,
  words: OptionWords,
  address: WebAddress,
  redirects = 0,
): Promise<void> {
  const { host, authority, path } = address;
  const patience = patienceOf(words);
  const ip = await addressOf(process, host, patience);
  const server = await connect(process, ip, address, patience);
  if (address.isSecure) throw new TransferFailure(exitCodes.noTls, 'TLS is not simulated');
  const headers = [
    `Host: ${authority}`,
    'User-Agent: curl/8.5.0',
    'Accept: */*',
    ...all(words, '-H', '--header'),
  ];
  const data = all(words, '-d', '--data');
  const isHead = has(words, '-I', '--head');
  const method = all(words, '-X', '--request').at(-1) ?? (isHead ? 'HEAD' : data.length > 0 ? 'POST' : 'GET');
  const exchanged = exchangeHttp(server, { method, path, headers, body: data.join('&') });
  const answer = await answerOf(process, exchanged, patience);
  const location = answer.status >= 300 && answer.status < 400 ? headerOf(answer, 'location') : undefined;
  if (location !== undefined && has(words, '-L', '--location')) {
    if (redirects === redirectsMax)
      throw new TransferFailure(exitCodes.manyRedirects, `Maximum (${redirectsMax}) redirects followed`);
    const next = parseWebAddress(new URL(location, `http://${authority}${path}`).href);
    return transfer(process, words, next, redirects + 1);
  }
  if (answer.status >= 400 && has(words, '-f', '--fail'))
    throw new TransferFailure(exitCodes.badStatus, `The requested URL returned error: ${answer.status}`);
  await show(process, words, answer);
}

/** @throws TransferFailure */
async function answerOf(
  { clock }: SimulatedProcess,
  exchanged: Promise<HttpResponseText>,
  { limitMs, isForAll }: Patience,
): Promise<HttpResponseText> {
  try {
    return await (isForAll ? within(clock, limitMs!, exchanged) : exchanged);
  } catch (failure) {
    if (failure === tooLate)
      throw new TransferFailure(
        exitCodes.tooLate,
        `Operation timed out after ${limitMs} milliseconds with 0 bytes received`,
      );
    if (!(failure instanceof NetworkFailure)) throw failure;
    throw new TransferFailure(exitCodes.noAnswer, `Recv failure: ${failure.message}`);
  }
}

interface Patience {
  /** Timeouts for resolving and connecting; unlimited if unset. */
  readonly limitMs: number | undefined;
  /** Whether the timeout applies to the whole transfer. */
  readonly isForAll: boolean;
}

function patienceOf(words: OptionWords): Patience {
  const connectLimitMs = secondsMs(all(words, '--connect-timeout').at(-1));
  const limitMs = secondsMs(all(words, '-m', '--max-time').at(-1));
  const isForAll = limitMs !== undefined && limitMs <= (connectLimitMs ?? Infinity);
  return { limitMs: isForAll ? limitMs : connectLimitMs, isForAll };
}

/** @throws TransferFailure */
async function addressOf(
  process: SimulatedProcess,
  host: string,
  { limitMs = Infinity }: Patience,
): Promise<string> {
  try {
    const found = await withResponseTimeout(process, Math.min(limitMs, resolveMs), () =>
      process.network.lookUp(host),
    );
    if (found?.addresses[0] !== undefined) return found.addresses[0];
  } catch (failure) {
    if (!(failure instanceof NoResponse)) throw failure;
    if (limitMs < resolveMs)
      throw new TransferFailure(exitCodes.tooLate, `Resolving timed out after ${limitMs} milliseconds`);
  }
  throw new TransferFailure(exitCodes.unknownHost, `Could not resolve host: ${host}`);
}

/** @throws TransferFailure */
async function connect(
  process: SimulatedProcess,
  ip: string,
  { host, port }: WebAddress,
  { limitMs = Infinity, isForAll }: Patience,
): Promise<HttpServer> {
  const waitMs = Math.min(limitMs, connectMs);
  try {
    return await withResponseTimeout(process, waitMs, () => process.network.connect(ip, port));
  } catch (failure) {
    if (!(failure instanceof NetworkFailure)) throw failure;
    const target = `Failed to connect to ${host} port ${port} after`;
    if (!(failure instanceof NoResponse))
      throw new TransferFailure(exitCodes.noConnection, `${target} 0 ms: Could not connect to server`);
    const text =
      waitMs === connectMs
        ? `${target} ${waitMs} ms: Could not connect to server`
        : isForAll
          ? `Connection timed out after ${waitMs} milliseconds`
          : `${target} ${waitMs} ms: Timeout was reached`;
    throw new TransferFailure(exitCodes.tooLate, text);
  }
}

async function show(process: SimulatedProcess, words: OptionWords, answer: HttpResponseText): Promise<void> {
  const output = all(words, '-o', '--output').at(-1) ?? '-';
  const isHead = has(words, '-I', '--head');
  if (isHead || has(words, '-i', '--include')) await print(process.stdout, answer.head);
  if (output === '-' && !isHead) await process.stdout(answer.body);
  else if (output !== '-')
    process.files.write(resolvePath(process.place.directory, output), answer.body, process.clock.now());
  await writeOut(process, words, answer);
}

/** The output of `-w`, also after a failed transfer. */
async function writeOut(
  process: SimulatedProcess,
  words: OptionWords,
  { status, body }: Pick<HttpResponseText, 'status' | 'body'>,
): Promise<void> {
  const format = all(words, '-w', '--write-out').at(-1) ?? '';
  const text = format
    .replaceAll('%{http_code}', String(status).padStart(3, '0'))
    .replaceAll('%{response_code}', String(status).padStart(3, '0'))
    .replaceAll('%{size_download}', String(body.length))
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t');
  await print(process.stdout, text);
}

async function failed(
  process: SimulatedProcess,
  words: OptionWords,
  { code, message }: TransferFailure,
): Promise<number> {
  const isSilent = has(words, '-s', '--silent') && !has(words, '-S', '--show-error');
  if (!isSilent) await print(process.stderr, `curl: (${code}) ${message}\n`);
  await writeOut(process, words, { status: 0, body: new Uint8Array(0) });
  return code;
}

const all = ({ options }: OptionWords, ...names: string[]): readonly string[] =>
  names.flatMap((name) => options.get(name) ?? []);

const has = (words: OptionWords, ...names: string[]): boolean => all(words, ...names).length > 0;
