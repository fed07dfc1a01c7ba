/** `127.0.0.1`, `::1`: reachable only from this machine. */
export const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';
