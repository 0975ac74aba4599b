/**
 * Names of coins, because people type "bitcoin" as well as BTC. One line each: the ticker, the name, and another name
 * after a slash, by which the coin is found.
 */
const LINES = `
BTC Bitcoin
ETH Ethereum / Ether
SOL Solana
XRP Ripple
BNB Binance Coin
DOGE Dogecoin
ADA Cardano
TRX Tron
AVAX Avalanche
LINK Chainlink
TON Toncoin
SHIB Shiba Inu
DOT Polkadot
BCH Bitcoin Cash
LTC Litecoin
NEAR Near Protocol
UNI Uniswap
APT Aptos
SUI Sui
ICP Internet Computer
ETC Ethereum Classic
POL Polygon / Matic
XLM Stellar / Lumens
FIL Filecoin
ATOM Cosmos
ARB Arbitrum
OP Optimism
HBAR Hedera
INJ Injective
IMX Immutable
VET VeChain
GRT The Graph
RUNE THORChain
AAVE Aave
MKR Maker
SKY Sky / Maker
SEI Sei
TIA Celestia
STX Stacks
ALGO Algorand
FTM Fantom
S Sonic
EGLD MultiversX / Elrond
FLOW Flow
SAND The Sandbox
MANA Decentraland
AXS Axie Infinity
GALA Gala
THETA Theta
XTZ Tezos
EOS EOS
A Vaulta / EOS
NEO Neo
KAVA Kava
CHZ Chiliz
CRV Curve
LDO Lido
SNX Synthetix
COMP Compound
YFI Yearn Finance
SUSHI SushiSwap
1INCH 1inch
ENS Ethereum Name Service
DYDX dYdX
GMX GMX
PENDLE Pendle
ENA Ethena
JUP Jupiter
PYTH Pyth Network
JTO Jito
WIF dogwifhat
BONK Bonk
PEPE Pepe
FLOKI Floki
PENGU Pudgy Penguins
POPCAT Popcat
MEW cat in a dogs world
BRETT Brett
TURBO Turbo
BOME Book of Meme
TRUMP Official Trump
MELANIA Melania
FARTCOIN Fartcoin
PUMP Pump.fun
HYPE Hyperliquid
ZEC Zcash
XMR Monero
DASH Dash
WLD Worldcoin
FET Artificial Superintelligence / Fetch.ai
RENDER Render
TAO Bittensor
AR Arweave
ORDI Ordinals
KAS Kaspa
CFX Conflux
ZK zkSync
STRK Starknet
ZRO LayerZero
W Wormhole
EIGEN EigenLayer
ETHFI ether.fi
ONDO Ondo
MNT Mantle
BLUR Blur
MEME Memecoin
NOT Notcoin
DOGS Dogs
CATI Catizen
HMSTR Hamster Kombat
MOVE Movement
ME Magic Eden
VIRTUAL Virtuals Protocol
AIXBT aixbt
KAITO Kaito
BERA Berachain
IP Story
LAYER Solayer
INIT Initia
WCT WalletConnect
ASTER Aster
XPL Plasma
LINEA Linea
WLFI World Liberty Financial
MON Monad
MEGA MegaETH
LIT Lighter
AVNT Avantis
APEX ApeX
APE ApeCoin
GMT STEPN
CAKE PancakeSwap
RAY Raydium
CVX Convex Finance
FXS Frax
BAT Basic Attention Token
ZIL Zilliqa
QTUM Qtum
IOTA Iota
ONE Harmony
ROSE Oasis
CELO Celo
MINA Mina
KSM Kusama
ICX Icon
ZRX 0x
WAVES Waves
LUNC Terra Classic
LUNA Terra
USTC TerraClassicUSD
JASMY JasmyCoin
HOT Holo
ANKR Ankr
SKL SKALE
STORJ Storj
BAND Band
API3 API3
TRB Tellor
UMA UMA
SSV ssv.network
RPL Rocket Pool
ID Space ID
HIGH Highstreet
MAGIC Treasure
PEOPLE ConstitutionDAO
LRC Loopring
METIS Metis
MANTA Manta
ALT AltLayer
DYM Dymension
PIXEL Pixels
PORTAL Portal
AEVO Aevo
TNSR Tensor
SAGA Saga
OMNI Omni Network
REZ Renzo
BB BounceBit
IO io.net
LISTA Lista
MORPHO Morpho
USUAL Usual
GRASS Grass
DRIFT Drift
CETUS Cetus
BLAST Blast
SPX SPX6900
MOODENG Moo Deng
GOAT Goatseus Maximus
PNUT Peanut the Squirrel
ACT Act I
NEIRO Neiro
BABYDOGE Baby Doge
SATS 1000SATS
RATS Rats
XAUT Tether Gold
PAXG PAX Gold
`;

const NAMED = LINES.trim()
  .split('\n')
  .map((line) => {
    const end = line.indexOf(' ');
    const [name = '', other] = line.slice(end + 1).split(' / ');
    return { ticker: line.slice(0, end), name, other };
  });

/** Names by ticker. */
export const COIN_NAMES: ReadonlyMap<string, string> = new Map(
  NAMED.map(({ ticker, name }) => [ticker, name]),
);

/** Other names by ticker, of coins that have one. */
export const OTHER_COIN_NAMES: ReadonlyMap<string, string> = new Map(
  NAMED.flatMap(({ ticker, other }) => (other === undefined ? [] : [[ticker, other]])),
);
