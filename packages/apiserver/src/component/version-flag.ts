/** `--version`, as every program of the original has it. */

import { flagOf, goQuote } from '@coxswain/cobra';
import { versionInfo } from '../version.ts';

export type VersionRequest = 'false' | 'true' | 'raw';

/** Whether, and how, the version is told. */
export const versionRequest = flagOf<VersionRequest>(
  { typeName: 'version', read: readVersionRequest, show: (value) => value, bareValue: 'true' },
  'false',
);

/** A line to print instead of all else; undefined when nobody asked. */
export function versionText(request: VersionRequest): string | undefined {
  if (request === 'false') return undefined;
  return request === 'raw' ? `${rawVersion()}\n` : `Kubernetes ${versionInfo.gitVersion}\n`;
}

function readVersionRequest(text: string): VersionRequest {
  if (text === 'raw') return text;
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return 'true';
  if (/^(0|f|F|false|FALSE|False)$/.test(text) || text === versionInfo.gitVersion) return 'false';
  if (!/^v\d/.test(text)) throw new Error(`strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax`);
  const own = versionInfo.gitVersion;
  throw new Error(
    text.startsWith(own)
      ? 'not implemented: another version than the own one'
      : `version ${goQuote(text)} must match major/minor/patch of default version ${goQuote(own)}`,
  );
}

/** The struct as Go prints it; which version is emulated only a running server knows. */
function rawVersion(): string {
  const members = Object.entries(versionInfo).map(([name, value]) => {
    const isOfServer = /^(emulation|minCompatibility)/.test(name);
    return `${name.charAt(0).toUpperCase()}${name.slice(1)}:${goQuote(isOfServer ? '' : value)}`;
  });
  return `version.Info{${members.join(', ')}}`;
}
