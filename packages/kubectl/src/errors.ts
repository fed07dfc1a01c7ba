/** Errors of commands, in addition to the StatusError from the API. */

/** Ends the program with this exit code; the message is printed unchanged, and not at all if empty. */
export class ExitError extends Error {
  readonly code: number;

  constructor(code: number, message = '') {
    super(message);
    this.code = code;
  }
}

/** Several failures at once, printed one per line. */
export class Failures extends Error {
  readonly failures: readonly Error[];
  /** Printed as a list without the prefix `error: `, even if there is only one. */
  readonly asList: boolean;

  constructor(failures: readonly Error[], asList = false) {
    const flat = failures.flatMap((one) => (one instanceof Failures ? one.failures : [one]));
    super(messageOfAll(flat));
    this.failures = flat;
    this.asList = asList;
  }
}

/** Failures of the items of one list in a file, which count as one beside others. */
export class ListFailure extends Error {
  readonly failures: readonly Error[];

  constructor(failures: readonly Error[]) {
    super(messageOfAll(failures));
    this.failures = failures;
  }
}

function messageOfAll(failures: readonly Error[]): string {
  const single = failures.flatMap((one) => (one instanceof ListFailure ? one.failures : [one]));
  return single.length === 1
    ? single[0]!.message
    : `[${[...new Set(single.map(({ message }) => message))].join(', ')}]`;
}

/** Throws the collected failures, if any; a single one is thrown itself. */
export function throwFailures(failures: readonly Error[]): void {
  if (failures.length === 0) return;
  if (failures.length === 1) throw failures[0];
  throw new Failures(failures);
}

/** There was no response from the server. */
export class ConnectionError extends Error {
  /** `127.0.0.1:6443` */
  readonly host: string;
  readonly refused: boolean;

  constructor(message: string, host: string, refused: boolean) {
    super(message);
    this.host = host;
    this.refused = refused;
  }

  /** Go's message for a GET that failed with this error. */
  ofGet(url: string): string {
    return `Get "${url}": ${this.refused ? `dial tcp ${this.host}: connect: connection refused` : this.message}`;
  }
}

/** The kubeconfig is contradictory or refers to something missing. */
export class ConfigurationInvalid extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`invalid configuration: ${problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`}`);
    this.problems = problems;
  }
}

/** No resource of that name is served. */
export class NoResourceMatch extends Error {
  readonly resource: string;
  readonly group: string;
  readonly version: string;

  constructor(resource: string, group = '', version = '') {
    super(
      `no matches for ${version === '' ? (group === '' ? '' : `${group}/, Resource=`) : `${group}/${version}, Resource=`}${resource}`,
    );
    this.resource = resource;
    this.group = group;
    this.version = version;
  }
}

/** No kind of that name is served. */
export class NoKindMatch extends Error {
  constructor(kind: string, group: string, version: string) {
    const where =
      version === ''
        ? ` in group "${group}"`
        : ` in version "${group === '' ? version : `${group}/${version}`}"`;
    super(`no matches for kind "${kind}"${where}`);
  }
}

export const asError = (failure: unknown): Error =>
  failure instanceof Error ? failure : new Error(String(failure));
