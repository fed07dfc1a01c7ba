/** Whether a name can be an extended resource, such as `vendor.example/device`, also in a quota. */
export const isExtendedResourceName = (name: string): boolean =>
  name.includes('/') &&
  !name.includes('kubernetes.io/') &&
  !name.startsWith('requests.') &&
  qualifiedName.test(name) &&
  name.slice(0, name.indexOf('/')).length <= prefixMax &&
  name.slice(name.indexOf('/') + 1).length <= suffixMax;

const prefixMax = 253 - 'requests.'.length;
const suffixMax = 63;
const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const qualifiedName = new RegExp(`^${label}(?:\\.${label})*/[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$`);
