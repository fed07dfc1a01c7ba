/** Recognizes paths that refer to another machine. */

/** http and https; the rest need not be well-formed. */
export const isRemoteFile = (path: string): boolean => /^https?:/i.test(path);

/**
 * Whether a path names a git repository in one of the forms that kustomize clones: with a scheme, as `user@host:path`,
 * or on github.com.
 */
export function isGitRepository(path: string): boolean {
  if (path.startsWith('/')) return false;
  const [beforeQuery = ''] = path.replace(/^git::/i, '').split('?');
  const scheme = /^(?:ssh|https?|file):\/\//i.exec(beforeQuery)?.[0].toLowerCase() ?? '';
  let rest = beforeQuery.slice(scheme.length);
  const user = /^[a-zA-Z][a-zA-Z0-9-]*@/.exec(rest)?.[0] ?? '';
  rest = rest.slice(user.length);
  const isGithub = /^github\.com[/:]/i.test(rest);
  const scpAllowed = scheme === '' && (user !== '' || isGithub);
  if (scheme === '' && !scpAllowed) return false;
  const [host, repository] = scheme === 'file://' ? [scheme, rest] : splitHost(rest, scpAllowed);
  return host !== '' && isRepositoryPath(repository, scheme === 'file://');
}

function splitHost(text: string, scpAllowed: boolean): [host: string, path: string] {
  let end = text.indexOf('/');
  const colon = text.indexOf(':');
  if (scpAllowed && (end < 0 || (colon > 0 && colon < end))) end = colon;
  return end < 0 ? [text, ''] : [text.slice(0, end + 1), text.slice(end + 1)];
}

function isRepositoryPath(path: string, isWhole: boolean): boolean {
  const marker =
    /^(.*?_git\/[^/]*)(.*)$/.exec(path) ?? /^(.*?)\/\/(.*)$/.exec(path) ?? /^(.*?\.git)(.*)$/.exec(path);
  const segments = path.split('/');
  const [repository, inside] =
    marker !== null
      ? [marker[1] ?? '', marker[2] ?? '']
      : isWhole
        ? [path, '']
        : [segments.length >= 2 ? segments.slice(0, 2).join('/') : '', segments.slice(2).join('/')];
  return repository !== '' && !/^\/?(?:\.\/)*\.\.(?:\/|$)/.test(inside);
}
