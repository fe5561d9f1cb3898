import { networkInterfaces } from 'node:os'

/** An address of this machine other than loopback, if it has one. */
export const OUTER_ADDRESS =
  Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2'
