const accounts = 'system:serviceaccount:';
const ownNamespace = 'kube-system';

/** A short form of a user name. A service account of `kube-system`, such as a controller's, loses its namespace. */
export function userName(user: string): string {
  if (!user.startsWith(accounts)) return user;
  const [namespace = '', name = ''] = user.slice(accounts.length).split(':');
  return namespace === ownNamespace ? name : `${namespace}/${name}`;
}

/** Who changed something, and with what: `alice · kubectl`. */
export function writerText(manager: string | undefined, user: string | undefined): string | undefined {
  const who = user === undefined ? undefined : userName(user);
  return [...new Set([who, manager])].filter(Boolean).join(' · ') || undefined;
}
