const accounts = 'system:serviceaccount:';
const ownNamespace = 'kube-system';

/** A short form of a user name. A service account of `kube-system`, such as a controller's, loses its namespace. */
export function userName(user: string): string {
  if (!user.startsWith(accounts)) return user;
  const [namespace = '', name = ''] = user.slice(accounts.length).split(':');
  return namespace === ownNamespace ? name : `${namespace}/${name}`;
}
