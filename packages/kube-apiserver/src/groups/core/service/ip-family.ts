export type IpFamily = 'IPv4' | 'IPv6';

/** Of an address or a network. */
export const familyOf = (text: string): IpFamily => (text.includes(':') ? 'IPv6' : 'IPv4');

export const otherFamily = (family: string): IpFamily => (family === 'IPv4' ? 'IPv6' : 'IPv4');
