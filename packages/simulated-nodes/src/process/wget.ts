/** `wget` with BusyBox's messages. */

import { exchangeHttp, type HttpRequestText } from '../network/http-exchange.ts';
import { headerOf } from '../network/http-message.ts';
import { ConnectionReset, NetworkFailure, NoResponse } from '../network/pod-network.ts';
import { tooLate, within } from '../network/within.ts';
import { resolvePath } from './container-files.ts';
import { readOptionWords } from './option-words.ts';
import { connectMs, withResponseTimeout, resolved, secondsMs } from './response-timeouts.ts';
import { complain, print, type Program, type SimulatedProcess } from './simulated-process.ts';
import { parseWebAddress, type WebAddress } from './web-address.ts';

/** The time-out of a response, and the maximum number of redirects. */
const readMs = 900_000;
const redirectsMax = 5;

const valued = new Set([
  '-O',
  '-o',
  '-P',
  '-T',
  '-U',
  '-Y',
  '-t',
  '--header',
  '--post-data',
  '--timeout',
  '--output-document',
  '--tries',
  '--user-agent',
]);

export const wget: Program = async (process) => {
  const { options, operands } = readOptionWords(process.argv.slice(1), valued);
  if (operands.length === 0) return complain(process, 'missing URL');
  const last = (...names: string[]) => names.flatMap((name) => options.get(name) ?? []).at(-1);
  const post = last('--post-data');
  const request = {
    method: post === undefined ? 'GET' : 'POST',
    headers: options.get('--header') ?? [],
    ...(post !== undefined && { body: post }),
  };
  const isQuiet = options.has('-q') || options.has('--quiet');
  const isProbe = options.has('--spider');
  const showsHeaders = options.has('-S') || options.has('--server-response');
  for (const operand of operands) {
    const code = await fetchOne(process, parseWebAddress(operand), request, {
      report: (line) => (isQuiet ? undefined : print(process.stderr, `${line}\n`)),
      reportHead: (head) => (showsHeaders ? print(process.stderr, indented(head)) : undefined),
      isProbe,
      output: last('-O', '--output-document'),
      limitMs: secondsMs(last('-T', '--timeout')),
    });
    if (code !== 0) return code;
  }
  return 0;
};

/** Each line, without the empty one at the end. */
const indented = (head: string): string =>
  head.trimEnd().replaceAll(/^/gmu, '  ').replaceAll('\r', '') + '\n';

interface Outcome {
  readonly report: (line: string) => Promise<void> | undefined;
  readonly reportHead: (head: string) => Promise<void> | undefined;
  /** Only tests whether the page exists. */
  readonly isProbe: boolean;
  /** `-` is standard output. */
  readonly output: string | undefined;
  /** The time-out of a connection. */
  readonly limitMs: number | undefined;
}

async function fetchOne(
  process: SimulatedProcess,
  address: WebAddress,
  request: Omit<HttpRequestText, 'path'>,
  { report, reportHead, isProbe, output, limitMs = Infinity }: Outcome,
  redirects = 0,
): Promise<number> {
  const ip = await resolved(process, address.host);
  if (ip === undefined) return complain(process, `bad address '${address.host}'`);
  await report(`Connecting to ${address.authority} (${ip}:${address.port})`);
  try {
    const waitMs = Math.min(limitMs, connectMs);
    const server = await withResponseTimeout(process, waitMs, () =>
      process.network.connect(ip, address.port),
    );
    if (address.isSecure) return complain(process, 'TLS is not simulated');
    const headers = [`Host: ${address.authority}`, 'User-Agent: Wget', ...request.headers];
    const exchanged = exchangeHttp(server, { ...request, path: address.path, headers });
    const {
      status,
      head,
      body,
      headers: own,
    } = await within(process.clock, Math.min(limitMs, readMs), exchanged);
    await reportHead(head);
    const location = status >= 300 && status < 400 ? headerOf({ headers: own }, 'location') : undefined;
    if (location !== undefined) {
      if (redirects === redirectsMax) return complain(process, 'too many redirections');
      const next = parseWebAddress(new URL(location, `http://${address.authority}${address.path}`).href);
      return fetchOne(
        process,
        next,
        request,
        { report, reportHead, isProbe, output, limitMs },
        redirects + 1,
      );
    }
    if (status >= 400) return complain(process, `server returned error: ${head.split('\r\n')[0]}`);
    if (isProbe) await report('remote file exists');
    else await save(process, address, body, output, report);
    return 0;
  } catch (failure) {
    if (failure === tooLate) return complain(process, 'download timed out');
    if (!(failure instanceof NetworkFailure)) throw failure;
    if (failure instanceof ConnectionReset)
      return complain(process, `error getting response: ${failure.message}`);
    if (failure instanceof NoResponse && limitMs < connectMs) return complain(process, 'download timed out');
    return complain(process, `can't connect to remote host (${ip}): ${failure.message}`);
  }
}

async function save(
  process: SimulatedProcess,
  { path }: WebAddress,
  body: Uint8Array,
  output: string | undefined,
  report: Outcome['report'],
): Promise<void> {
  const name = output ?? (path.replace(/\?.*$/, '').split('/').pop() || 'index.html');
  const isPrinted = name === '-';
  await report(isPrinted ? 'writing to stdout' : `saving to '${name}'`);
  if (isPrinted) await process.stdout(body);
  else process.files.write(resolvePath(process.place.directory, name), body, process.clock.now());
  const bar = `|${'*'.repeat(32)}|`;
  await report(`${name.slice(0, 20).padEnd(20)} 100% ${bar} ${String(body.length).padStart(5)}  0:00:00 ETA`);
  await report(isPrinted ? 'written to stdout' : `'${name}' saved`);
}
