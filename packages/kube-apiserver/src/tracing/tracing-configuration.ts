/** The file of `--tracing-config-file`: `TracingConfiguration` of `apiserver.config.k8s.io`. */
import { invalidError, aggregateFieldErrors, type FieldError } from '@coxswain/apimachinery/field-error.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { int32, optional, pointer, string, struct } from '@coxswain/schema';
import { parseUrl } from '@coxswain/apimachinery/url-text.ts';
import { decodeConfiguration } from '@coxswain/apimachinery/configuration/decode-configuration.ts';

const form = {
  kinds: ['v1', 'v1beta1', 'v1alpha1'].map(
    (version) => `apiserver.config.k8s.io/${version} TracingConfiguration`,
  ),
  type: struct('apiserver/v1.TracingConfiguration', {
    kind: optional(0, string),
    apiVersion: optional(0, string),
    endpoint: pointer(1, string),
    samplingRatePerMillion: pointer(2, int32),
  }),
  isStrict: true,
};

export interface TracingConfiguration {
  /** For a gRPC channel. */
  readonly endpoint: string;
  readonly samplesPerMillion: number | undefined;
}

/** A collector on the same machine. */
const endpointDefault = 'localhost:4317';
const samplesPerMillionMax = 1_000_000;

/** @throws Error with upstream's message */
export function readTracingConfiguration(text: string): TracingConfiguration {
  const { endpoint, samplingRatePerMillion } = decoded(text);
  const errors = [...rateErrors(samplingRatePerMillion ?? 0), ...endpointErrors(endpoint ?? '')];
  if (errors.length > 0) {
    throw new Error(`failed to validate tracing configuration: ${aggregateFieldErrors(errors)}`);
  }
  return {
    endpoint: channelEndpoint(endpoint ?? endpointDefault),
    samplesPerMillion: samplingRatePerMillion ?? undefined,
  };
}

function decoded(text: string) {
  try {
    return decodeConfiguration(text, form);
  } catch (failure) {
    throw new Error(
      `failed to read tracing config: unable to decode tracing configuration data: ${messageOf(failure)}`,
      { cause: failure },
    );
  }
}

function rateErrors(rate: number): FieldError[] {
  const field = 'samplingRatePerMillion';
  if (rate < 0) return [invalidError(field, rate, 'sampling rate must be positive')];
  return rate > samplesPerMillionMax
    ? [invalidError(field, rate, 'sampling rate per million must be less than or equal to one million')]
    : [];
}

const schemes: ReadonlySet<string> = new Set(['dns', 'unix', 'unix-abstract']);

function endpointErrors(endpoint: string): FieldError[] {
  if (!endpoint.includes('//')) return [];
  const problem = urlProblem(endpoint);
  if (problem !== undefined) return [invalidError('endpoint', endpoint, problem)];
  const scheme = endpoint.slice(0, endpoint.indexOf(':'));
  if (schemes.has(scheme)) return [];
  return [
    invalidError(
      'endpoint',
      endpoint,
      `unsupported scheme: ${scheme}.  Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md`,
    ),
  ];
}

function urlProblem(endpoint: string): string | undefined {
  try {
    parseUrl(endpoint);
    return undefined;
  } catch (failure) {
    return messageOf(failure);
  }
}

function channelEndpoint(endpoint: string): string {
  if (endpoint.startsWith('unix://')) return endpoint;
  if (endpoint.startsWith('unix-abstract:'))
    return `unix:///@${endpoint.replace(/^unix-abstract:(\/\/)?/, '')}`;
  return `http://${endpoint.replace(/^dns:\/\/[^/]*\/?/, '') || endpointDefault}`;
}
