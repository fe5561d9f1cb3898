// Without fonts: the console uses those of the system too.
export { default } from 'vitepress/theme-without-fonts'

import './style.css'
