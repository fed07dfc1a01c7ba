/** The flags of logs, metrics, traces and profiles. */
import { parseQuantity } from '@coxswain/schema/scalars/quantity.ts';
import { bool, duration, flagOf, section, string, stringSlice, stringToString } from '@coxswain/cobra';
import { level } from '../flag-kinds.ts';

/** `pattern=N,…`, as text. */
const verbosityPatterns = flagOf<string>(
  { typeName: 'pattern=N,...', read: (text) => text, show: (text) => text },
  '',
);

/** A number of bytes as a quantity, as text. */
const quantity = flagOf<string>(
  {
    typeName: 'quantity',
    read(text) {
      parseQuantity(text);
      return text;
    },
    show: (text) => text,
  },
  '',
);

export const observabilityFlags = {
  ...section('Features', {
    debugSocketPath: string({
      usage:
        'The path of a Unix socket that serves profiles and the log verbosity, without authorization, to the user that runs this server.',
    }),
    profiling: bool({ default: true, usage: 'Serve profiles of this process at /debug/pprof/.' }),
  }),
  ...section('Etcd', {
    etcdCountMetricPollPeriod: duration({
      default: 60_000,
      usage:
        'If 0, metrics do not include the number of stored objects. Otherwise they are counted whenever metrics are scraped.',
    }),
    etcdDbMetricPollInterval: duration({
      default: 30_000,
      usage:
        'If 0, metrics do not include the size of the store. Otherwise it is measured whenever metrics are scraped.',
    }),
  }),
  ...section('Metrics', {
    allowMetricLabels: stringToString({
      usage:
        'The permitted values of a metric label, as metric,label=value,value. Other values are reported as "unexpected".',
    }),
    allowMetricLabelsManifest: string({
      usage: 'A file with the permitted label values, in place of --allow-metric-labels.',
    }),
    disabledMetrics: stringSlice({ usage: 'Metrics to disable.' }),
    showHiddenMetricsForVersion: string({
      usage: 'The previous minor version, to show the metrics that were hidden since.',
    }),
  }),
  ...section('Traces', {
    tracingConfigFile: string({ usage: 'The tracing configuration file, which says where to send spans.' }),
  }),
  ...section('Logs', {
    logFlushFrequency: duration({ default: 5_000, usage: 'The maximum time between log flushes.' }),
    logJsonInfoBufferSize: quantity({ usage: 'Alpha in Kubernetes and not supported: must be 0.' }),
    logJsonSplitStream: bool({ usage: 'Alpha in Kubernetes and not supported: must be false.' }),
    logTextInfoBufferSize: quantity({ usage: 'Alpha in Kubernetes and not supported: must be 0.' }),
    logTextSplitStream: bool({ usage: 'Alpha in Kubernetes and not supported: must be false.' }),
    loggingFormat: string({ default: 'text', usage: 'The log format: text or json.' }),
    v: level({ shorthand: 'v', usage: 'The log verbosity. From 3 on, every request is logged.' }),
    vmodule: verbosityPatterns({
      usage: 'The log verbosity of individual files, as pattern=N,… . Only for the text format.',
    }),
  }),
};
