import { goQuote } from '@coxswain/apimachinery';

export function driverWarnings({ spec }: { readonly spec: { readonly driver?: string } }): string[] {
  const { driver = '' } = spec;
  if (driver === driver.toLowerCase()) return [];
  return [`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`];
}
