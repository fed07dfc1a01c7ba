const accounts = 'system:serviceaccount:';
const ownNamespace = 'kube-system';

/** A user in a few words: of a service account its name, which for controllers is the controller's. */
export function userName(user: string): string {
  if (!user.startsWith(accounts)) return user;
  const [namespace = '', name = ''] = user.slice(accounts.length).split(':');
  return namespace === ownNamespace ? name : `${namespace}/${name}`;
}
