/** All components read configuration files in the same way. */
export * from '@coxswain/apimachinery/configuration/setting-kinds.ts';
