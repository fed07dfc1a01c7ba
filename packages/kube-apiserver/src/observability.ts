/** What a server tells of itself, and what it needs from its platform for that. */
import type { FlagTexts } from '@coxswain/apiserver/debug/flagz.ts';
import type { Profiler } from '@coxswain/apiserver/debug/profiles.ts';
import type { Verbosity } from '@coxswain/apiserver/debug/verbosity.ts';
import type { RequestLog } from '@coxswain/apiserver/filters/log-request.ts';
import type { MetricSettings } from '@coxswain/apimachinery/metrics/metric-settings.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Tracer } from '@coxswain/apiserver/tracing/tracer.ts';

export interface Observability {
  /** Every metric when absent. */
  readonly metrics?: MetricSettings | undefined;
  /** The command line; none when absent. */
  readonly flags?: FlagTexts;
  /** No profiles are offered when absent. */
  readonly profiler?: Profiler | undefined;
  readonly verbosity?: Verbosity;
  /** Takes requests with their values; else each becomes a line of the log. */
  readonly requestLog?: RequestLog;
  /** Adds what the platform knows of the process. */
  readonly describeProcess?: (metrics: Metrics) => void;
  /** The version that the server says it has; its own when absent. */
  readonly gitVersion?: string;
  /** Of the runtime, in place of Go's. */
  readonly runtimeVersion?: string;
  readonly tracer?: Tracer | undefined;
}
