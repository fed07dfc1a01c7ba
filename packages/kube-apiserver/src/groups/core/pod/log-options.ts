/** The options of `pods/log`, read from the query. */
import {
  badRequest,
  forbiddenError,
  goQuote,
  invalid,
  invalidError,
  notSupportedError,
} from '@coxswain/apimachinery';
import type { FieldError } from '@coxswain/apimachinery';

/** @throws StatusError 400 for what isn't a number, 422 for what makes no sense */
export function checkLogOptions(podName: string, parameters: URLSearchParams): void {
  const tailLines = integer(parameters, 'tailLines');
  const limitBytes = integer(parameters, 'limitBytes');
  const sinceSeconds = integer(parameters, 'sinceSeconds');
  const stream = parameters.get('stream') ?? 'All';
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalidError('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalidError('limitBytes', limitBytes, 'must be greater than 0'));
  }
  if (sinceSeconds !== undefined && parameters.get('sinceTime')) {
    errors.push(forbiddenError('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalidError('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  if (!['All', 'Stdout', 'Stderr'].includes(stream)) {
    errors.push(notSupportedError('stream', stream, ['All', 'Stderr', 'Stdout']));
  } else if (stream !== 'All' && tailLines !== undefined) {
    errors.push(forbiddenError('[]', '`tailLines` and specific `stream` are mutually exclusive for now'));
  }
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, podName, errors);
}

function integer(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[-+]?\d+$/.test(text))
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  return Number(text);
}
