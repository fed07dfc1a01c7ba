/** Makes observability settings from flags. @throws Error with upstream's message */
import { readFileSync } from 'node:fs';
import { aggregateText, goQuote, readYaml, systemClock, systemRandom } from '@coxswain/apimachinery';
import {
  fieldErrorText,
  forbiddenError,
  invalidError,
  requiredError,
  type FieldError,
} from '@coxswain/apimachinery/field-error.ts';
import { formatDurationMs } from '@coxswain/apimachinery/duration.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { MetricSettings } from '@coxswain/apimachinery/metrics/metric-settings.ts';
import type { FlagValues } from '@coxswain/cobra';
import type { FlagTexts } from '@coxswain/apiserver/debug/flagz.ts';
import { lazyProfiler } from '@coxswain/apiserver/profiles/lazy-profiler.ts';
import type { Dial } from '../egress/dial.ts';
import { jsonLines } from '../logging/json-lines.ts';
import { klogText } from '../logging/klog-text.ts';
import { Logger, type SourceVerbosity } from '../logging/logger.ts';
import type { Observability } from '../observability.ts';
import type { observabilityFlags } from './observability-flags.ts';

export type ObservabilityFlags = FlagValues<typeof observabilityFlags>;

const hiddenMetricsVersion = '1.35';
const levelMax = 2 ** 31 - 1;

/** @throws Error that lists all problems */
function checkLogging(flags: ObservabilityFlags): void {
  const errors = [...formatErrors(flags), ...patternErrors(flags), ...alphaErrors(flags)];
  if (errors.length > 0) throw new Error(aggregateText(errors.map(fieldErrorText)));
  const { showHiddenMetricsForVersion: shown } = flags;
  if (shown !== '' && shown !== hiddenMetricsVersion) {
    const problem = `must be omitted or have the value '${hiddenMetricsVersion}'; only the previous minor version is allowed`;
    throw new Error(fieldErrorText(invalidError('metrics.showHiddenMetricsForVersion', shown, problem)));
  }
  const { disabledMetrics: disabled } = flags;
  const wrong = disabled.find((name) => !metricName.test(name));
  if (wrong !== undefined) {
    const problem = `must be fully qualified metric names matching ${goQuote(metricName.source)}, got ${goQuote(wrong)}`;
    throw new Error(fieldErrorText(invalidError('metrics.disabledMetrics', disabled, problem)));
  }
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

function formatErrors({ loggingFormat, logFlushFrequency, vmodule }: ObservabilityFlags): FieldError[] {
  return [
    ...(logFlushFrequency <= 0
      ? [invalidError('flushFrequency', formatDurationMs(logFlushFrequency), 'Must be greater than zero')]
      : []),
    ...(loggingFormat === 'text' || loggingFormat === 'json'
      ? []
      : [invalidError('format', loggingFormat, 'Unsupported log format')]),
    ...(vmodule !== '' && loggingFormat !== 'text'
      ? [forbiddenError('vmodule', 'Only supported for text log format')]
      : []),
  ];
}

const patternErrors = ({ vmodule }: ObservabilityFlags): FieldError[] =>
  patternsOf(vmodule).flatMap(({ text, level }, index) => {
    const field = `vmodule[${index}]`;
    if (text === '') return [requiredError(field, 'File pattern must not be empty')];
    return level > levelMax ? [invalidError(field, level, `Must be <= ${levelMax}`)] : [];
  });

function alphaErrors(flags: ObservabilityFlags): FieldError[] {
  const refused = (field: string) => forbiddenError(field, 'Feature LoggingAlphaOptions is disabled');
  return [
    ...(flags.logTextSplitStream ? [refused('options.text.splitStream')] : []),
    ...(isZero(flags.logTextInfoBufferSize) ? [] : [refused('options.text.infoBufferSize')]),
    ...(flags.logJsonSplitStream ? [refused('options.json.splitStream')] : []),
    ...(isZero(flags.logJsonInfoBufferSize) ? [] : [refused('options.json.infoBufferSize')]),
  ];
}

const isZero = (quantity: string): boolean => quantity === '' || /^0[A-Za-z]*$/.test(quantity);

interface Pattern {
  readonly text: string;
  readonly level: number;
}

/** @throws Error with upstream's message */
function patternsOf(vmodule: string): readonly Pattern[] {
  return vmodule.split(',').flatMap((pair) => {
    if (pair === '') return [];
    const [text = '', level, ...more] = pair.split('=');
    if (level === undefined || more.length > 0) {
      throw new Error(
        `invalid argument ${JSON.stringify(vmodule)} for "--vmodule" flag: "${pair}" does not have the pattern=N format`,
      );
    }
    if (!/^\d+$/.test(level)) {
      throw new Error(
        `invalid argument ${JSON.stringify(vmodule)} for "--vmodule" flag: parsing verbosity in "${pair}": strconv.ParseUint: parsing "${level}": invalid syntax`,
      );
    }
    return [{ text, level: Number(level) }];
  });
}

const sourcesOf = (vmodule: string): readonly SourceVerbosity[] =>
  patternsOf(vmodule).map(({ text, level }) => {
    const wildcard = text
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return { pattern: new RegExp(`^${wildcard}$`), level };
  });

/** @param write writes the lines of the log */
export function loggerOf(flags: ObservabilityFlags, write: (text: string) => void): Logger {
  checkLogging(flags);
  return new Logger({
    clock: systemClock,
    format: flags.loggingFormat === 'json' ? jsonLines : klogText(process.pid),
    verbosity: { level: flags.v },
    write,
    bySource: sourcesOf(flags.vmodule),
  });
}

/** @param dial the dialer for the trace collector, unless connections are direct */
export async function observabilityOf(
  flags: ObservabilityFlags,
  logger: Logger,
  flagTexts: FlagTexts,
  dial?: Dial,
): Promise<Observability> {
  const { describeProcess } = await import('@coxswain/apimachinery/metrics/process-metrics.ts');
  return {
    metrics: metricSettings(flags, logger.line),
    flags: flagTexts,
    verbosity: logger.verbosity,
    requestLog: logger.requests,
    describeProcess,
    runtimeVersion: `node${process.version.slice(1)}`,
    ...(flags.profiling && { profiler: lazyProfiler(systemClock) }),
    ...(flags.tracingConfigFile !== '' && {
      tracer: await tracerOf(flags.tracingConfigFile, logger.line, dial),
    }),
  };
}

async function tracerOf(file: string, log: (line: string) => void, dial: Dial | undefined) {
  const { loadTracer } = await import('../tracing/load-tracer.ts');
  return loadTracer(file, {
    clock: systemClock,
    random: systemRandom,
    log,
    instanceId: `apiserver-${process.pid}`,
    dial,
  });
}

/** An invalid allow list is logged and ignored, as upstream. */
function metricSettings(flags: ObservabilityFlags, log: (line: string) => void): MetricSettings {
  const mapping = { ...manifestMapping(flags.allowMetricLabelsManifest, log), ...flags.allowMetricLabels };
  return {
    disabled: new Set([
      ...flags.disabledMetrics.filter((name) => name !== ''),
      ...(flags.etcdCountMetricPollPeriod === 0
        ? ['apiserver_resource_objects', 'apiserver_storage_objects']
        : []),
      ...(flags.etcdDbMetricPollInterval === 0 ? ['apiserver_storage_size_bytes'] : []),
    ]),
    allowedValues: new Map(Object.entries(mapping).map(([key, values]) => [key, new Set(values.split(','))])),
  };
}

function manifestMapping(file: string, log: (line: string) => void): Readonly<Record<string, string>> {
  if (file === '') return {};
  try {
    const value = readYaml(readFileSync(file, 'utf8')) as {
      allowListMapping?: Record<string, string>;
    } | null;
    return value?.allowListMapping ?? {};
  } catch (failure) {
    log(`Failed to read allow list manifest: ${messageOf(failure)}`);
    return {};
  }
}
