/** `127.0.0.1`, `::1`: nobody else reaches it. */
export const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';
