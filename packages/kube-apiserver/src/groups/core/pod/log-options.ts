/** The options of `pods/log`, read from the query. */
import {
  badRequest,
  forbiddenError,
  goQuote,
  invalid,
  invalidError,
  notSupportedError,
  parseInt64,
  type FieldError,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { parseTime } from '@coxswain/schema/scalars/time.ts';

interface LogOptions {
  readonly sinceSeconds: bigint | undefined;
  readonly hasSinceTime: boolean;
  readonly tailLines: bigint | undefined;
  readonly limitBytes: bigint | undefined;
  readonly stream: string | undefined;
}

/**
 * @param selectsStreams the feature PodLogsQuerySplitStreams
 * @throws StatusError 400 for unparsable values, 422 for invalid ones
 */
export function checkLogOptions(podName: string, parameters: URLSearchParams, selectsStreams: boolean): void {
  const options = logOptionsOf(parameters);
  const errors = [...sizeErrors(options), ...(selectsStreams ? streamErrors : forbiddenStream)(options)];
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, podName, errors);
}

const logOptionsOf = (parameters: URLSearchParams): LogOptions => ({
  sinceSeconds: integer(parameters.get('sinceSeconds')),
  hasSinceTime: isTime(parameters.get('sinceTime')),
  tailLines: integer(parameters.get('tailLines')),
  limitBytes: integer(parameters.get('limitBytes')),
  stream: parameters.get('stream') ?? undefined,
});

function sizeErrors({ sinceSeconds, hasSinceTime, tailLines, limitBytes }: LogOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalidError('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalidError('limitBytes', limitBytes, 'must be greater than 0'));
  }
  if (sinceSeconds !== undefined && hasSinceTime) {
    errors.push(forbiddenError('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalidError('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  return errors;
}

function streamErrors({ stream = 'All', tailLines }: LogOptions): FieldError[] {
  if (!['All', 'Stdout', 'Stderr'].includes(stream)) {
    return [notSupportedError('stream', stream, ['All', 'Stderr', 'Stdout'])];
  }
  return stream !== 'All' && tailLines !== undefined
    ? [forbiddenError('[]', '`tailLines` and specific `stream` are mutually exclusive for now')]
    : [];
}

const forbiddenStream = ({ stream }: LogOptions): FieldError[] =>
  stream === undefined ? [] : [forbiddenError('stream', 'may not be specified')];

/** An empty text is no number, unlike in list options. @throws StatusError 400 */
function integer(text: string | null): bigint | undefined {
  if (text === null) return undefined;
  const value = parseInt64(text);
  if (value !== undefined) return value;
  const problem = /^[-+]?\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`);
}

/** Whether a time is given; an empty text is the zero time. @throws StatusError 400 */
function isTime(text: string | null): boolean {
  if (text === null) return false;
  try {
    if (text !== '' && text !== 'null') parseTime(text);
    return true;
  } catch (failure) {
    throw badRequest(messageOf(failure));
  }
}
