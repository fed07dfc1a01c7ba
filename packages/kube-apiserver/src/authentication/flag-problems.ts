/** Finds contradictory authentication flags, with upstream's messages. No files are read but authorities. */
import { readFileSync } from 'node:fs';
import { certificatesInPem } from '@coxswain/apiserver/authentication/x509/authorities.ts';
import type { AuthenticationFlags, RequestHeaderFlags } from './authentication-flags.ts';

export function flagProblems(
  flags: AuthenticationFlags,
  enabled: (gate: string) => boolean,
  log: (line: string) => void,
): string[] {
  return [
    ...oidcProblems(flags),
    ...requestHeaderProblems(flags.requestHeader, enabled, log),
    ...overlapProblems(flags),
  ];
}

function oidcProblems({ oidc, configFile }: AuthenticationFlags): string[] {
  if (configFile === '') {
    return oidc.isGiven && (oidc.issuerUrl === '' || oidc.clientId === '')
      ? ['oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set']
      : [];
  }
  return oidc.isGiven ? ['authentication-config file and oidc-* flags are mutually exclusive'] : [];
}

function requestHeaderProblems(
  flags: RequestHeaderFlags,
  enabled: (gate: string) => boolean,
  log: (line: string) => void,
): string[] {
  const { usernameHeaders, uidHeaders, groupHeaders, extraHeaderPrefixes, allowedNames } = flags;
  const blank = (flag: string, values: readonly string[]) =>
    values.some((value) => value.trim() === '') ? [`empty value in ${JSON.stringify(flag)}`] : [];
  const lacks = (values: readonly string[], header: string) =>
    values.length > 0 && !values.some((value) => value.toLowerCase() === header.toLowerCase());
  const noAggregation = (flag: string, header: string) =>
    `--${flag} is set without specifying the standard ${header} - API aggregation will not work`;
  const warn = (isLacking: boolean, flag: string, header: string) => {
    if (isLacking) log(noAggregation(flag, header));
  };
  warn(lacks(usernameHeaders, 'X-Remote-User'), 'requestheader-username-headers', 'X-Remote-User header');
  warn(lacks(groupHeaders, 'X-Remote-Group'), 'requestheader-group-headers', 'X-Remote-Group header');
  warn(
    lacks(extraHeaderPrefixes, 'X-Remote-Extra-'),
    'requestheader-extra-headers-prefix',
    'X-Remote-Extra- header prefix',
  );
  const uidProblems = enabled('RemoteRequestHeaderUID')
    ? [
        ...blank('requestheader-uid-headers', uidHeaders),
        ...(lacks(uidHeaders, 'X-Remote-Uid')
          ? [noAggregation('requestheader-uid-headers', 'X-Remote-Uid header')]
          : []),
      ]
    : uidHeaders.length > 0
      ? ['--requestheader-uid-headers requires the "RemoteRequestHeaderUID" feature to be enabled']
      : [];
  return [
    ...blank('requestheader-username-headers', usernameHeaders),
    ...blank('requestheader-group-headers', groupHeaders),
    ...blank('requestheader-extra-headers-prefix', extraHeaderPrefixes),
    ...blank('requestheader-allowed-names', allowedNames),
    ...uidProblems,
  ];
}

/** Otherwise every client certificate could name any user in headers. */
function overlapProblems({ clientCaFile, requestHeader }: AuthenticationFlags): string[] {
  const { clientCaFile: proxyCaFile, allowedNames } = requestHeader;
  if (clientCaFile === '' || proxyCaFile === '' || allowedNames.length > 0) return [];
  const [clients, proxies] = [clientCaFile, proxyCaFile].map(authoritiesIn);
  return proxies!.some((proxy) => clients!.includes(proxy))
    ? [
        '--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified to ensure regular client certificates cannot set authenticating proxy headers for arbitrary users',
      ]
    : [];
}

/** An unreadable file is reported where it is used. */
function authoritiesIn(file: string): readonly string[] {
  try {
    return certificatesInPem(readFileSync(file, 'utf8')).map(({ der }) =>
      Buffer.from(der).toString('base64'),
    );
  } catch {
    return [];
  }
}
