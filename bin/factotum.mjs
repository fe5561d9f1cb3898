#!/usr/bin/env node
import { launch } from './launcher.mjs'

await launch(process.argv.slice(2))
