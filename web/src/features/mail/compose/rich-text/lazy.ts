import { lazy } from 'react'

/** Loaded with the first use, so that the console starts without it. */
export const RichTextEditor = lazy(() => import('./editor.tsx'))
