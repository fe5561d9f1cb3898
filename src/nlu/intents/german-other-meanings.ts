/** German words by their English meaning: topics outside of the business of the assistant. */
export const OTHER_MEANINGS = `
thermostat: thermostat
socket: steckdose steckdosen
device: gerät geräte drucker
lamp: stehlampe glühbirne lampen
shade: jalousie jalousien markise rollladen
camera: kamera
lock: schloss türschloss abgeschlossen sperr sperre
fan: ventilator lüfte
washer: trockner
speaker: lautsprecher
activate: aktiviere aktivieren
deactivate: deaktiviere
wifi: wlan internet
bluetooth: bluetooth
screen: bildschirm
install: installiere deinstalliere
update: aktualisiere
connect: verbinde
charge: lade
download: herunterladen runterladen
save: speichere speichern
skip: überspring überspringe
shuffle: mische
album: album
artist: sänger sängerin band
sing: sing singt singe
channel: sender kanal
episode: folge
forecast: wettervorhersage vorhersage
warm: warm wärmer
cold: kalt
hot: heiß
snow: schnee schneit schneien
wind: wind windig
storm: unwetter sturm gewitter
sunset: sonnenuntergang
umbrella: schirm
weigh: wiegt schwerer
far: weit entfernt
tall: hoch
deep: tief
fast: schnell
year: jahrhundert
country: land länder
river: fluss
animal: tier tiere
earth: erde
world: welt
war: krieg
king: könig
author: autor
died: starb gestorben
who: wen
song: lieder
lovely: schön schöne schöner
bored: langweilig
sad: traurig
happy: glücklich
favorite: lieblings
think: denkst hältst glaubst
feel: fühlst
shop: laden geschäft baumarkt
cart: warenkorb
wish: wunschliste
buy: kauft
cheap: günstig günstige billig
size: größe
voucher: gutschein
return: reklamiere
store: markt
opening: öffnungszeiten schließt öffnet
contract: handyvertrag
fitness: fitnessstudio
directions: navigiere navigation navi
destination: ziel zwischenstopp
bike: rad fahrrad
bridge: brücke
subway: u-bahn s-bahn
platform: gleis
delayed: verspätung
plane: flieger flugzeug
land: landet
seat: sitzplatz
luggage: gepäck koffer
visa: visum
toll: maut
charging: ladesäule
fish: fisch lachs
meat: fleisch
potatoes: kartoffeln
flour: mehl
cream: sahne
sugar: zucker
salt: salz
dough: teig hefeteig
cake: kuchen
ingredient: zutaten zutat
substitute: ersetzen ersetze
bake: backen backe
wine: wein
healthy: gesund giftig
grams: gramm
cup: tasse
transfer: überweisung dauerauftrag
overdraft: dispo
interest: zinsen
fees: gebühren
limit: limit kreditkartenlimit
savings: sparkonto tagesgeld sparbuch
transactions: umsätze
shares: aktien
bitcoin: bitcoin
withdraw: abheben geldautomat abgebucht
credit: kredit
insurance: versicherung
iban: iban
currency: währung
alarms: wecker
wake: weck wecke wecken
ring: klingelt
snooze: schlummern
stopwatch: stoppuhr
siren: alarmanlage feueralarm
silent: lautlos
hang: auflegen
voicemail: mailbox
whatsapp: whatsapp
camera: selfie
browser: browser
cloud: cloud
disk: festplatte
spell: buchstabiere
say: sagt
abbreviation: abkürzung
essay: aufsatz roman kurzgeschichte
program: programm
code: code
draw: male zeichne
random: würfel
heads: kopf
score: tabelle
team: mannschaft verein
league: liga
tournament: turnier finale
steps: schritte
workout: training
pulse: puls
weight: gewicht
exercise: übung
near: umgebung
hotel: unterkunft
election: wahl
politics: politik
how: wozu
stain: flecken
lawn: rasen
allowed: darf dürfen
meaning: abkürzung
sport: sport
`
