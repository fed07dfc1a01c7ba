/** The destination and format of a recording: `-o text`, `-o html=FILE`. */

import { mustBeWritable, systemReason, writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import { recordingPage } from '@coxswain/trace/html.ts';
import { otlpOf } from '@coxswain/trace/otlp.ts';
import { perfettoOf } from '@coxswain/trace/perfetto.ts';
import type { Recording } from '@coxswain/trace/recording.ts';
import { recordingText, type TextOptions } from '@coxswain/trace/text/recording-text.ts';
import { withSources } from '../trace/embedded-sources.ts';
import { pageParts } from './page-parts.ts';

export interface Output {
  readonly format: Format;
  /** Standard output if undefined. */
  readonly file?: string;
}

const formats = {
  text: (recording: Recording, options: TextOptions) => recordingText(recording, options),
  json: (recording: Recording) => `${JSON.stringify(recording)}\n`,
  html: async (recording: Recording) => recordingPage(withSources(recording), await pageParts()),
  perfetto: (recording: Recording) => `${JSON.stringify(perfettoOf(recording))}\n`,
  otlp: (recording: Recording) => `${JSON.stringify(otlpOf(recording))}\n`,
};

type Format = keyof typeof formats;

/** @throws Error listing the valid formats, or for a file that cannot be written */
export function parseOutput(text: string): Output {
  const [format = '', ...rest] = text.split('=');
  if (!Object.hasOwn(formats, format))
    throw new Error(
      `--output must be one of ${Object.keys(formats).join(', ')}, each with or without =FILE, not "${format}"`,
    );
  const file = rest.join('=');
  if (file !== '') mustBeWritable(file);
  return { format: format as Format, ...(file !== '' && { file }) };
}

const fileColumns = 160;

export async function writeOutputs(
  recording: Recording,
  outputs: readonly Output[],
  options: TextOptions,
  out: { write(text: string): unknown },
): Promise<void> {
  for (const { format, file } of outputs) {
    if (file === undefined) out.write(await formats[format](recording, options));
    else {
      // Recordings name users and objects, so only the owner may read them.
      writePrivateFile(
        file,
        await formats[format](recording, { ...options, columns: fileColumns, colours: false }),
      );
    }
  }
}

/** Sends the recording to an OpenTelemetry collector over HTTP. */
export async function sendToCollector(recording: Recording, endpoint: string): Promise<void> {
  const url = collectorUrl(endpoint);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(otlpOf(recording)),
    signal: AbortSignal.timeout(sendingMsMax),
  }).catch((cause: unknown) => {
    const reason = systemReason(cause instanceof Error && cause.cause !== undefined ? cause.cause : cause);
    throw new Error(`the collector at ${url} can't be reached: ${reason}`, { cause });
  });
  if (!response.ok)
    throw new Error(`the collector at ${url} answered ${response.status} ${response.statusText}`);
  await response.body?.cancel();
}

const sendingMsMax = 30_000;

/** @throws Error for an invalid address */
export function collectorUrl(endpoint: string): URL {
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(
      `--otlp-endpoint must be an http or https address such as http://127.0.0.1:4318, not "${endpoint}"`,
    );
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url;
}
