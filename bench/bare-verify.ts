/* Measures the minimum cost of a password check: bcrypt alone, sequentially, in this process. */
import { hash, verify } from '@node-rs/bcrypt'

const CHECKS = 10
const known = await hash('correct horse battery', 10)
const before = process.cpuUsage()
for (let n = 0; n < CHECKS; n++) await verify('correct horse battery', known)
const { user, system } = process.cpuUsage(before)
process.stdout.write(String((user + system) / 1000 / CHECKS))
