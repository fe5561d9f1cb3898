// Prepares the checkout and prints the Node that runs it, for `start.sh`.
import { prepareOrExit } from '../launcher.mjs'
import { stopWithShell } from './parent.mjs'

stopWithShell()
process.stdout.write(await prepareOrExit(process.argv.slice(2)))
