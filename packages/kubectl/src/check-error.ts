/** Converts every failure to the message and exit code that kubectl is known for. */
import { StatusError, type StatusCause } from '@coxswain/apimachinery';
import { FieldErrors, fieldErrorText } from '@coxswain/apimachinery/field-error.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { ConfigurationInvalid, ConnectionError, ExitError, Failures, NoResourceMatch } from './errors.ts';

export interface Ending {
  readonly code: number;
  /** For standard error; ends with a newline unless empty. */
  readonly message: string;
}

export function explainFailure(failure: unknown): Ending {
  const error =
    failure instanceof Failures && failure.failures.length === 1 && !failure.asList
      ? failure.failures[0]
      : failure;
  if (error instanceof ExitError) return { code: error.code, message: withNewline(error.message) };
  return { code: 1, message: withNewline(explain(error)) };
}

function explain(error: unknown): string {
  if (error instanceof StatusError && error.reason === 'Invalid') return explainInvalid(error);
  if (error instanceof ConfigurationInvalid) return explainConfiguration(error);
  if (error instanceof NoResourceMatch) return explainNoResource(error);
  if (error instanceof Failures) return error.failures.map((one) => `${oneLine(one)}\n`).join('');
  if (error instanceof FieldErrors) return error.errors.map((one) => `${fieldErrorText(one)}\n`).join('');
  const known = standardMessage(error);
  if (known !== undefined) return known;
  const message = messageOf(error);
  return message.startsWith('error: ') ? message : `error: ${message}`;
}

const withNewline = (message: string): string =>
  message === '' || message.endsWith('\n') ? message : `${message}\n`;

/** Formats one of several failures, without the prefix `error: `. */
function oneLine(error: Error): string {
  return standardMessage(error) ?? error.message;
}

function standardMessage(error: unknown): string | undefined {
  if (error instanceof StatusError) {
    if (error.reason === 'Unauthorized')
      return `error: You must be logged in to the server (${error.message})`;
    return error.reason === ''
      ? `Error from server: ${error.message}`
      : `Error from server (${error.reason}): ${error.message}`;
  }
  if (!(error instanceof ConnectionError)) return undefined;
  return error.refused
    ? `The connection to the server ${error.host} was refused - did you specify the right host or port?`
    : `Unable to connect to the server: ${error.message}`;
}

function explainInvalid({ status }: StatusError): string {
  const { details, message = '' } = status;
  const general = 'The request is invalid';
  if (details === undefined) return message === '' ? general : `${general}: ${message}`;
  const { kind = '', name = '', causes = [] } = details;
  const subject =
    kind !== '' || name !== ''
      ? `The ${kind} "${name}" is invalid`
      : message !== '' && causes.length === 0
        ? `${general}: ${message}`
        : general;
  return causes.length === 0 ? subject : withCauses(`${subject}: `, causes.map(causeText));
}

const causeText = (cause: StatusCause): string => `${cause.field ?? ''}: ${cause.message ?? ''}`;

const explainConfiguration = (error: ConfigurationInvalid): string =>
  withCauses('Error in configuration: ', error.problems);

function withCauses(prefix: string, causes: readonly string[]): string {
  const different = [...new Set(causes)];
  // Ends with a newline of its own, whatever the cause ends with.
  if (different.length === 1) return `${prefix}${different[0]}\n`;
  return `${prefix}\n${different.map((cause) => `* ${cause}\n`).join('')}`;
}

function explainNoResource({ resource, group, version }: NoResourceMatch): string {
  const where = [group === '' ? '' : `in group "${group}"`, version === '' ? '' : `in version "${version}"`];
  const place = where
    .filter((part) => part !== '')
    .join(' and ')
    .replace('and in', 'and');
  return `the server doesn't have a resource type "${resource}"${place === '' ? '' : ` ${place}`}`;
}
