/** Creates the tracer of `--tracing-config-file`. */
import { readFileSync } from 'node:fs';
import type { Clock, Random } from '@coxswain/apimachinery';
import { Tracer } from '@coxswain/apiserver/tracing/tracer.ts';
import type { Dial } from '../egress/dial.ts';
import { OtlpExporter } from './otlp-exporter.ts';
import { readTracingConfiguration } from './tracing-configuration.ts';

export interface TracerParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: (line: string) => void;
  /** This server's id among its peers. */
  readonly instanceId: string;
  /** The dialer for the collector, unless connections are direct. */
  readonly dial?: Dial | undefined;
}

/** @throws Error with upstream's message */
export function loadTracer(file: string, { clock, random, log, instanceId, dial }: TracerParts): Tracer {
  const { endpoint, samplesPerMillion } = readTracingConfiguration(textOf(file));
  const resource = { 'service.name': 'apiserver', 'service.instance.id': instanceId };
  const exporter = new OtlpExporter({ endpoint, resource, clock, log, dial });
  return new Tracer({
    clock,
    random,
    samplesPerMillion,
    take: (spans) => exporter.take(spans),
    flush: () => exporter.flush(),
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new Error(
        `failed to read tracing config: unable to read tracing configuration from ${JSON.stringify(file)}: open ${file}: no such file or directory`,
        { cause: failure },
      );
    }
    throw failure;
  }
}
