/** `--version` as in every program of upstream. */

import { flagOf, goQuote } from '@coxswain/cobra';
import { versionInfo } from './version.ts';

/** Whether and how the version is printed, or the version to report, which is the own one with a suffix. */
export type VersionRequest = 'false' | 'true' | 'raw' | `v${string}`;

export const versionRequest = flagOf<VersionRequest>(
  { typeName: 'version', read: readVersionRequest, show: (value) => value, bareValue: 'true' },
  'false',
);

/** The line to print instead of running; undefined if it was not requested. */
export function versionText(request: VersionRequest): string | undefined {
  if (request === 'raw') return `${rawVersion()}\n`;
  return request === 'true' ? `Kubernetes ${versionInfo.gitVersion}\n` : undefined;
}

/** The version that a program reports. */
export const reportedVersion = (request: VersionRequest): string =>
  request.startsWith('v') ? request : versionInfo.gitVersion;

function readVersionRequest(text: string): VersionRequest {
  if (text === 'raw') return text;
  if (isVersion(text)) return checked(text);
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return 'true';
  if (/^(0|f|F|false|FALSE|False)$/.test(text)) return 'false';
  throw new Error(`strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax`);
}

const isVersion = (text: string): text is `v${string}` => text.startsWith('v');

const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const suffixOfVersion = new RegExp(`^(?:-${identifiers})?(?:\\+${identifiers})?$`);

function checked(text: `v${string}`): VersionRequest {
  const own = versionInfo.gitVersion;
  const [, numbers, suffix = ''] = /^v(\d+(?:\.\d+)*)(.*)$/.exec(text) ?? [];
  if (numbers === undefined) throw new Error(`could not parse ${goQuote(text)} as version`);
  if (numbers.split('.').length !== 3) throw new Error(`illegal version string ${goQuote(text)}`);
  if (!suffixOfVersion.test(suffix))
    throw new Error(`could not parse pre-release/metadata (${suffix}) in version ${goQuote(text)}`);
  if (`v${numbers}` !== own)
    throw new Error(
      `version ${goQuote(text)} must match major/minor/patch of default version ${goQuote(own)}`,
    );
  return text;
}

/** The struct as Go prints it; only a running server knows the emulated version. */
function rawVersion(): string {
  const { major, minor, ...build } = versionInfo;
  const ofServer = {
    emulationMajor: '',
    emulationMinor: '',
    minCompatibilityMajor: '',
    minCompatibilityMinor: '',
  };
  const members = Object.entries({ major, minor, ...ofServer, ...build }).map(
    ([name, value]) => `${name.charAt(0).toUpperCase()}${name.slice(1)}:${goQuote(value)}`,
  );
  return `version.Info{${members.join(', ')}}`;
}
