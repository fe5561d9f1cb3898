/** One household behind one IPv6 line has a /64: its addresses count as one. */
export const networkOf = (ip: string): string => (ip.includes(':') ? ip.split(':').slice(0, 4).join(':') : ip)
