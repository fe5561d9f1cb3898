// Loaded before the server if npm started it.
import { stopWithShell } from './parent.mjs'

stopWithShell()
